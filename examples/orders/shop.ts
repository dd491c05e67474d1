import { refused, type ToolAnswer, type ToolRequest, type ToolRoutes, textOf } from '../tool-route.js';
import type { Order } from './order.js';
import type { ShopDatabase } from './shop-database.js';

type ShopRoute = (database: ShopDatabase, call: ToolRequest, idempotencyKey: string) => ShopAnswer;
type ShopAnswer = Exclude<ToolAnswer, 'no_answer'>;

/** The shop's routes by path. Each is a function of the database, the call and its idempotency key. */
export const SHOP_ROUTES: Readonly<Record<string, ShopRoute>> = {
  '/search_orders': searchOrders,
  '/draft_refund': draftRefund,
  '/refund_order': refundOrder,
  '/refund_order/check': checkRefund,
  '/refund_order/reconcile': reconcileRefund,
  '/place_order': placeOrder,
  '/send_credit': sendCredit,
};

/** The shop's tools over one database. */
export function shopRoutes(database: ShopDatabase): ToolRoutes {
  const routes = Object.entries(SHOP_ROUTES);
  return Object.fromEntries(routes.map(([path, route]) => [path, (call, key) => route(database, call, key)]));
}

/** The customer's orders, newest first. That `until` may not lie before `since` is a rule no JSON Schema can say. */
function searchOrders(database: ShopDatabase, call: ToolRequest): ShopAnswer {
  const since = textOf(call, 'since');
  const until = textOf(call, 'until');
  const status = textOf(call, 'status');
  if (until !== '' && until < since) {
    return problem(422, `until: must not be before since (${since}), got ${until}`);
  }
  const found = database
    .ordersOf(customerOf(call))
    .filter((order) => order.date >= since && (until === '' || order.date <= until))
    .filter((order) => status === '' || order.status === status)
    .sort((left, right) => right.date.localeCompare(left.date))
    .slice(0, Number(call.arguments.limit ?? 10));
  return { status: 200, body: { orders: found.map(visible) } };
}

/** What may be refunded by the shop's rules: a shipped order, in full. */
function draftRefund(database: ShopDatabase, call: ToolRequest): ShopAnswer {
  const order = database.orderOf(customerOf(call), orderIdOf(call));
  if (order === null) return noSuchOrder(call);
  if (order.status === 'refunded') return problem(422, alreadyRefunded(order));
  return { status: 200, body: { orderId: order.orderId, refundable: true, amount: order.total } };
}

function refundOrder(database: ShopDatabase, call: ToolRequest, idempotencyKey: string): ShopAnswer {
  const amount = textOf(call, 'amount');
  const before = database.refundUnder(idempotencyKey);
  if (before !== null) return { status: 200, body: before };
  const order = database.orderOf(customerOf(call), orderIdOf(call));
  if (order === null) return noSuchOrder(call);
  if (order.status === 'refunded') return problem(422, alreadyRefunded(order));
  if (cents(amount) > cents(order.total)) {
    return problem(422, `amount: order ${order.orderId} cost ${order.total}, ${amount} is more than that`);
  }
  const made = database.refund(idempotencyKey, {
    orderId: order.orderId,
    amount,
    reason: textOf(call, 'reason'),
  });
  return { status: 200, body: made };
}

/** The facts that a person sees on the card, and that are asked again before the refund is made. */
function checkRefund(database: ShopDatabase, call: ToolRequest): ShopAnswer {
  const order = database.orderOf(customerOf(call), orderIdOf(call));
  if (order === null) return { status: 200, body: { ok: false, facts: {}, message: missingOrder(call) } };
  const facts = visible(order);
  const ok = order.status === 'shipped';
  const message = ok ? `Order ${order.orderId} may be refunded.` : alreadyRefunded(order);
  return { status: 200, body: { ok, facts, message } };
}

/** Whether the refund under this key was made. The ledger knows for certain. */
function reconcileRefund(database: ShopDatabase, _call: ToolRequest, idempotencyKey: string): ShopAnswer {
  const made = database.refundUnder(idempotencyKey);
  const body = made === null ? { outcome: 'did_not_happen' } : { outcome: 'happened', output: made };
  return { status: 200, body };
}

/** Not a tool: how a demonstration gets an order that nobody has refunded yet. */
function placeOrder(database: ShopDatabase, call: ToolRequest): ShopAnswer {
  const date = textOf(call, 'date');
  const order = database.place({ customerId: customerOf(call), total: textOf(call, 'total'), date });
  return { status: 200, body: { orderId: order.orderId } };
}

/** A customer whose loyalty account always times out at its provider: the credit is given, and nobody is told so. */
const STALLED_ACCOUNT = 'C-1030';

/** Credit for the next purchase. It has no `reconcile`: whether it was given, a person must look up. */
function sendCredit(database: ShopDatabase, call: ToolRequest, idempotencyKey: string): ShopAnswer {
  const customerId = customerOf(call);
  const given = database.credit(idempotencyKey, {
    customerId,
    amount: textOf(call, 'amount'),
    reason: textOf(call, 'reason'),
  });
  if (customerId === STALLED_ACCOUNT) return problem(504, 'The loyalty provider did not answer in time.');
  return { status: 200, body: given };
}

function visible({ customerId: _, ...order }: Order): Omit<Order, 'customerId'> {
  return order;
}

function noSuchOrder(call: ToolRequest): ShopAnswer {
  return problem(404, missingOrder(call));
}

const missingOrder = (call: ToolRequest): string => `The customer has no order ${orderIdOf(call)}.`;
const alreadyRefunded = (order: Order): string => `Order ${order.orderId} has been refunded already.`;

const problem = (status: number, detail: string) => refused(status, 'The shop refuses', detail);

const customerOf = (call: ToolRequest): string => textOf(call, 'customer_id');
const orderIdOf = (call: ToolRequest): number => Number(call.arguments.orderId);
/** Both amounts come in the form of the tool's schema: digits, a point, two digits. */
const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));
