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
export { ordersAgent } from './orders/agent.js';
export { orderTools } from './orders/tools.js';

/** The scripts of the `scripted` provider, by the model's name. */
export const scripts: Readonly<Record<string, Script>> = {
  orders: ordersScript,
  assistant: assistantScript,
  calendar: calendarScript,
  kubernetes: kubernetesScript,
};

/** What the seed posts for the demo's tenant: tools over the example server at this URL, and the agents that use them. */
export function demoDefinitions(serverUrl: string) {
  return {
    tools: [
      ...orderTools(serverUrl),
      ...assistantTools(`${serverUrl}/assistant`),
      ...calendarTools(`${serverUrl}/calendar`),
      ...kubernetesTools(`${serverUrl}/kubernetes`),
    ],
    agents: [ordersAgent(), assistantAgent(), calendarAgent(), kubernetesAgent()],
  };
}
