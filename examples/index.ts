import type { Script } from '@countersign/agent-core';
import { assistantAgent } from './assistant/agent.js';
import { assistantScript } from './assistant/script.js';
import { assistantTools } from './assistant/tools.js';
import { calendarAgent } from './calendar/agent.js';
import { calendarScript } from './calendar/script.js';
import { calendarTools } from './calendar/tools.js';
import { kubernetesAgent } from './kubernetes/agent.js';
import { kubernetesScript } from './kubernetes/script.js';
import { kubernetesTools } from './kubernetes/tools.js';
import { machineAgent, wireModel } from './machine/agents.js';
import { machineScript } from './machine/script.js';
import { machineTools } from './machine/tools.js';
import { ordersAgent } from './orders/agent.js';
import { ordersScript } from './orders/script.js';
import { orderTools } from './orders/tools.js';

export { assistantAgent } from './assistant/agent.js';
export { assistantTools } from './assistant/tools.js';
export { calendarAgent } from './calendar/agent.js';
export { calendarTools } from './calendar/tools.js';
export type { ExampleModel } from './example-model.js';
export { startExampleServer } from './example-server.js';
export { kubernetesAgent } from './kubernetes/agent.js';
export { kubernetesTools } from './kubernetes/tools.js';
export type { ListeningServer } from './listening.js';
export { machineAgent } from './machine/agents.js';
export { machineTools } from './machine/tools.js';
export { ordersAgent } from './orders/agent.js';
export { orderTools } from './orders/tools.js';

/** The scripts of the `scripted` provider, by the model's name. */
export const scripts: Readonly<Record<string, Script>> = {
  orders: ordersScript,
  assistant: assistantScript,
  calendar: calendarScript,
  kubernetes: kubernetesScript,
  machine: machineScript,
};

/**
 * What the seed makes for the demo's tenant: tools over the example server at this URL, the agents that use them, and
 * the price of the one model among theirs that no list knows.
 */
export function demoDefinitions(serverUrl: string) {
  const wire = wireModel(`${serverUrl}/machine`);
  return {
    tools: [
      ...orderTools(serverUrl),
      ...calendarTools(`${serverUrl}/calendar`),
      ...kubernetesTools(`${serverUrl}/kubernetes`),
      ...assistantTools(`${serverUrl}/assistant`),
      ...machineTools(`${serverUrl}/machine`),
    ],
    agents: [
      ordersAgent(),
      calendarAgent(),
      kubernetesAgent(),
      assistantAgent(),
      machineAgent(),
      machineAgent('machine_wire', wire),
    ],
    prices: [{ provider: wire.provider, model: wire.model, inputPerMTok: '1', outputPerMTok: '5' }],
  };
}
