import { demonstrateAssistant } from './assistant/demo.js';
import { demonstrateCalendar } from './calendar/demo.js';
import { demonstrateKubernetes } from './kubernetes/demo.js';
import { saveLiveAgent } from './live-agent.js';
import { demonstrateMachine } from './machine/demo.js';
import { demonstrateOrders } from './orders/demo.js';
import type { Demonstrate } from './play-run.js';
import { ProductClient } from './product-client.js';

const demonstrations: Readonly<Record<string, Demonstrate>> = {
  orders: demonstrateOrders,
  calendar: demonstrateCalendar,
  kubernetes: demonstrateKubernetes,
  assistant: demonstrateAssistant,
  machine: demonstrateMachine,
};

/**
 * Plays one scenario in the terminal against a running stack: `demo.js <scenario> [provider/model]` with API_URL and
 * COUNTERSIGN_API_KEY (a key of a tenant that has the scenario's agent). With a model named, and its provider's key in
 * the environment, that model plays instead of the script.
 */
async function main(): Promise<void> {
  const [name = '', model] = process.argv.slice(2);
  const demonstrate = demonstrations[name];
  const { API_URL: url, COUNTERSIGN_API_KEY: key } = process.env;
  if (demonstrate === undefined) {
    throw new Error(
      `no scenario ${JSON.stringify(name)}; there is: ${Object.keys(demonstrations).join(', ')}`,
    );
  }
  if (url === undefined || key === undefined) {
    throw new Error('API_URL and COUNTERSIGN_API_KEY say which stack to play on');
  }
  const product = new ProductClient(url, key);
  const liveAgent = model === undefined ? null : await saveLiveAgent(product, name, model, process.env);
  await demonstrate({ product, liveAgent, print: (line) => process.stdout.write(`${line}\n`) });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
