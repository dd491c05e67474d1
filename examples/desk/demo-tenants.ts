import { assistantAgent } from '../assistant/agent.js';
import { assistantTools } from '../assistant/tools.js';
import { calendarAgent } from '../calendar/agent.js';
import { calendarTools } from '../calendar/tools.js';
import { type ExampleModel, scriptedModel } from '../example-model.js';
import { kubernetesAgent } from '../kubernetes/agent.js';
import { kubernetesTools } from '../kubernetes/tools.js';
import { machineAgent, wireModel } from '../machine/agents.js';
import { machineTools } from '../machine/tools.js';
import { ordersAgent } from '../orders/agent.js';
import { orderTools, sendCredit } from '../orders/tools.js';
import { DAY, type DemoRun, HOUR } from './demo-tenant.js';
import { northwindRuns } from './northwind.js';
import { ordersShopRuns } from './orders-shop.js';

/** A tenant of the demonstration: what is posted for it. */
export interface DemoTenant {
  readonly slug: 'demo' | 'northwind';
  readonly name: string;
  readonly tools: readonly object[];
  readonly agents: readonly object[];
  /** Of models among those of the agents that no list knows. */
  readonly prices: readonly {
    readonly provider: string;
    readonly model: string;
    readonly inputPerMTok: string;
    readonly outputPerMTok: string;
  }[];
  /** The agent that customers write to, with the model that answers them. */
  readonly desk: (model: ExampleModel) => { readonly name: string };
  readonly policy: object;
  readonly runs: readonly DemoRun[];
  /** The e-mail address of the member who has decided what was decided. */
  readonly reviewer: string;
}

/** What the desks answer with where no provider's key is given. */
export const DESK_SCRIPT = scriptedModel('support');

/** The tenants of the demonstration; their tools are those of the example server at this URL. */
export function demoTenants(serverUrl: string): readonly DemoTenant[] {
  return [ordersShop(serverUrl), northwind(serverUrl)];
}

function ordersShop(serverUrl: string): DemoTenant {
  const refunds = { tool: 'refund_order', action: 'require_approval' };
  const wire = wireModel(`${serverUrl}/machine`);
  const over = (value: string) => [{ path: '/amount', op: 'gt', value }];
  return {
    slug: 'demo',
    name: 'Orders shop',
    tools: [
      ...orderTools(serverUrl),
      sendCredit(serverUrl),
      ...assistantTools(`${serverUrl}/assistant`),
      ...calendarTools(`${serverUrl}/calendar`),
      ...kubernetesTools(`${serverUrl}/kubernetes`),
      ...machineTools(`${serverUrl}/machine`),
    ],
    agents: [
      assistantAgent(),
      calendarAgent(),
      kubernetesAgent(),
      machineAgent(),
      machineAgent('machine_wire', wire),
    ],
    prices: [{ provider: wire.provider, model: wire.model, inputPerMTok: '1', outputPerMTok: '5' }],
    desk: (model) => {
      const { instructions, tools, policy, ...agent } = ordersAgent(model);
      return {
        ...agent,
        instructions: `${instructions}\n${CREDIT}`,
        tools: [...tools, 'send_credit'],
        limits: { approvalTtlSeconds: 7 * DAY },
        policy: [
          ...policy,
          {
            tool: 'send_credit',
            action: 'require_approval',
            reason: 'Credit needs the signature of a person.',
          },
        ],
      };
    },
    policy: {
      rules: [
        {
          ...refunds,
          action: 'deny',
          when: over('1000.00'),
          reason: 'refunds over $1,000 are made by the finance team',
        },
        {
          ...refunds,
          when: over('200.00'),
          ttlSeconds: 4 * HOUR,
          reason: 'Refunds over $200 are decided within four hours.',
        },
      ],
    },
    runs: ordersShopRuns(),
    reviewer: 'reviewer@demo.test',
  };
}

const CREDIT =
  'You may propose credit with send_credit, for the customer who writes and nobody else. Ask for the customer number.';

function northwind(serverUrl: string): DemoTenant {
  return {
    slug: 'northwind',
    name: 'Northwind Travel',
    tools: orderTools(serverUrl),
    agents: [],
    prices: [],
    desk: (model) => {
      const { instructions, ...agent } = ordersAgent(model);
      return {
        ...agent,
        name: 'bookings',
        instructions: `You work for Northwind Travel, where an order is a booking.\n${instructions}`,
        limits: { approvalTtlSeconds: 7 * DAY },
      };
    },
    policy: {
      rules: [
        {
          tool: 'refund_order',
          action: 'require_approval',
          when: [{ path: '/amount', op: 'gt', value: '500.00' }],
          ttlSeconds: 8 * HOUR,
          reason: 'A refund over $500 is a matter for the head of bookings.',
        },
      ],
    },
    runs: northwindRuns(),
    reviewer: 'admin@northwind.test',
  };
}
