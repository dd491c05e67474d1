import type { Script } from '@countersign/agent-core';
import { assistantScript } from './assistant/script.js';
import { calendarScript } from './calendar/script.js';
import { supportScript } from './desk/support-script.js';
import { kubernetesScript } from './kubernetes/script.js';
import { machineScript } from './machine/script.js';
import { ordersScript } from './orders/script.js';

export { assistantAgent } from './assistant/agent.js';
export { assistantTools } from './assistant/tools.js';
export { calendarAgent } from './calendar/agent.js';
export { calendarTools } from './calendar/tools.js';
export type { DemoRun, DemoStep } from './desk/demo-tenant.js';
export { DESK_SCRIPT, type DemoTenant, demoTenants } from './desk/demo-tenants.js';
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
  support: supportScript,
  assistant: assistantScript,
  calendar: calendarScript,
  kubernetes: kubernetesScript,
  machine: machineScript,
};
