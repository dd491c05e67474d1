import { type ExampleModel, scriptedModel } from '../example-model.js';

/** The support assistant, as it is posted to `POST /v1/agents`. */
export function ordersAgent(model: ExampleModel = scriptedModel('orders')) {
  return {
    name: 'orders',
    instructions: [
      'You are the support assistant of a shop and speak with one customer.',
      'Look orders up before you speak of them. Write dates as YYYY-MM-DD.',
      'Before you refund an order, ask draft_refund how much may be refunded, and refund just that.',
      'When a refund is refused, say so and why. Do not ask for it again.',
    ].join('\n'),
    model,
    tools: ['search_orders', 'draft_refund', 'refund_order'],
    policy: [
      {
        tool: 'refund_order',
        action: 'require_approval' as const,
        reason: 'A refund needs the signature of a person.',
      },
    ],
  };
}
