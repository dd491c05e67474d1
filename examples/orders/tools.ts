/** The tools of the scenario, as they are posted to `POST /v1/tools`. The customer comes from the run's subject. */
export function orderTools(shopUrl: string) {
  return [searchOrders(shopUrl), draftRefund(shopUrl), refundOrder(shopUrl)];
}

/** A tool of the demonstration beside those of the scenario: the model names the customer, and may name no other. */
export function sendCredit(shopUrl: string) {
  return {
    name: 'send_credit',
    description: 'Gives the customer credit for the next purchase. A person has to agree.',
    parameters: {
      type: 'object',
      properties: {
        customer_id: { type: 'string', description: 'The number of the customer who asks, as in C-1001.' },
        amount: dollars,
        reason,
      },
      required: ['customer_id', 'amount', 'reason'],
      additionalProperties: false,
    },
    effect: 'once' as const,
    executor: { type: 'http' as const, url: `${shopUrl}/send_credit` },
    constrain: { customer_id: '/id' },
    money: { path: '/amount', currency: 'USD' },
  };
}

const customer = { customer_id: { type: 'string', description: 'The customer who asks.' } };
const fromSubject = { customer_id: '/id' };
const orderId = { type: 'integer', minimum: 1, description: 'The number of the order.' };
const dollars = {
  type: 'string',
  pattern: '^[0-9]{1,9}\\.[0-9]{2}$',
  description: 'US dollars, as in 49.99.',
};
const reason = { type: 'string', minLength: 1, maxLength: 200, description: 'Why, in a few words.' };

function searchOrders(shopUrl: string) {
  return {
    name: 'search_orders',
    description: "Lists the customer's orders from a day on, newest first.",
    parameters: {
      type: 'object',
      properties: {
        ...customer,
        since: { type: 'string', format: 'date', description: 'First day, YYYY-MM-DD.' },
        until: { type: 'string', format: 'date', description: 'Last day, YYYY-MM-DD; not before since.' },
        status: { type: 'string', enum: ['shipped', 'refunded'] },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
      },
      required: ['customer_id', 'since'],
      additionalProperties: false,
    },
    effect: 'read' as const,
    executor: { type: 'http' as const, url: `${shopUrl}/search_orders` },
    inject: fromSubject,
  };
}

function draftRefund(shopUrl: string) {
  return {
    name: 'draft_refund',
    description: 'Says whether an order may be refunded, and how much. Changes nothing.',
    parameters: {
      type: 'object',
      properties: { ...customer, orderId, reason },
      required: ['customer_id', 'orderId', 'reason'],
      additionalProperties: false,
    },
    effect: 'read' as const,
    executor: { type: 'http' as const, url: `${shopUrl}/draft_refund` },
    inject: fromSubject,
  };
}

function refundOrder(shopUrl: string) {
  return {
    name: 'refund_order',
    description: 'Refunds an order. Ask draft_refund for the amount first. A person has to agree.',
    parameters: {
      type: 'object',
      properties: {
        ...customer,
        orderId,
        amount: dollars,
        reason,
      },
      required: ['customer_id', 'orderId', 'amount', 'reason'],
      additionalProperties: false,
    },
    effect: 'once' as const,
    executor: { type: 'http' as const, url: `${shopUrl}/refund_order` },
    inject: fromSubject,
    intent: ['/orderId'],
    intentScope: 'subject' as const,
    check: { url: `${shopUrl}/refund_order/check` },
    reconcile: { url: `${shopUrl}/refund_order/reconcile` },
    money: { path: '/amount', currency: 'USD' },
  };
}
