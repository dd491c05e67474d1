import type { Item, Order, PaymentMethod, RetailData, Variant } from './retail-data.js';

/** A tool refuses: the text is what the benchmark's own tool says. */
export class Refusal extends Error {}

interface Exchange {
  readonly order: Order;
  readonly replacements: readonly {
    readonly item: Item;
    readonly variant: Variant;
    readonly newItemId: string;
  }[];
  readonly difference: number;
  readonly method: PaymentMethod;
}

type Arguments = Readonly<Record<string, unknown>>;
type Action = (data: RetailData, args: Arguments) => Order;

/** The benchmark's tools that change something, re-made. Each returns the order as it is afterwards. */
export const RETAIL_TOOLS: Readonly<Record<string, Action>> = {
  cancel_pending_order: cancelPendingOrder,
  modify_pending_order_address: modifyAddress,
  modify_pending_order_items: modifyItems,
  modify_pending_order_payment: modifyPayment,
  exchange_delivered_order_items: exchangeItems,
  return_delivered_order_items: returnItems,
};

function cancelPendingOrder(data: RetailData, args: Arguments): Order {
  const order = orderIn(data, args, 'pending', 'non-pending order cannot be cancelled');
  const reason = text(args, 'reason');
  if (!['no longer needed', 'ordered by mistake'].includes(reason)) refuse('invalid reason');
  const refunds = order.payment_history.map(({ amount, payment_method_id }) => ({
    transaction_type: 'refund' as const,
    amount,
    payment_method_id,
  }));
  for (const { amount, payment_method_id } of refunds) {
    if (payment_method_id.includes('gift_card')) credit(methodOf(data, order, payment_method_id), amount);
  }
  order.status = 'cancelled';
  order.cancel_reason = reason;
  order.payment_history.push(...refunds);
  return order;
}

function modifyAddress(data: RetailData, args: Arguments): Order {
  const order = orderIn(data, args, 'pending', 'non-pending order cannot be modified');
  const fields = ['address1', 'address2', 'city', 'state', 'country', 'zip'];
  order.address = Object.fromEntries(fields.map((field) => [field, text(args, field)]));
  return order;
}

function modifyItems(data: RetailData, args: Arguments): Order {
  const modified = exchangeIn(data, args, 'pending', 'non-pending order cannot be modified');
  const { order, replacements, difference, method } = modified;
  if (cannotPay(method, difference)) refuse('insufficient gift card balance to pay for the new item');
  order.payment_history.push({
    transaction_type: difference > 0 ? 'payment' : 'refund',
    amount: Math.abs(difference),
    payment_method_id: text(args, 'payment_method_id'),
  });
  if (method.source === 'gift_card') credit(method, -difference);
  for (const { newItemId, variant, item } of replacements) {
    item.item_id = newItemId;
    item.price = variant.price;
    item.options = variant.options;
  }
  order.status = 'pending (item modified)';
  return order;
}

function modifyPayment(data: RetailData, args: Arguments): Order {
  const order = orderIn(data, args, 'pending', 'non-pending order cannot be modified');
  const newId = text(args, 'payment_method_id');
  const method = methodOf(data, order, newId);
  const [paid, ...others] = order.payment_history;
  if (paid?.transaction_type !== 'payment' || others.length > 0) {
    refuse('there should be exactly one payment for a pending order');
  }
  const { amount, payment_method_id: oldId } = paid;
  if (oldId === newId) refuse('the new payment method should be different from the current one');
  if (cannotPay(method, amount)) refuse('insufficient gift card balance to pay for the order');
  order.payment_history.push(
    { transaction_type: 'payment', amount, payment_method_id: newId },
    { transaction_type: 'refund', amount, payment_method_id: oldId },
  );
  if (method.source === 'gift_card') credit(method, -amount);
  if (oldId.includes('gift_card')) credit(methodOf(data, order, oldId), amount);
  return order;
}

function exchangeItems(data: RetailData, args: Arguments): Order {
  const exchanged = exchangeIn(data, args, 'delivered', 'non-delivered order cannot be exchanged');
  const { order, method } = exchanged;
  const difference = cents(exchanged.difference);
  if (cannotPay(method, difference)) refuse('insufficient gift card balance to pay for the price difference');
  order.status = 'exchange requested';
  order.exchange_items = texts(args, 'item_ids').sort();
  order.exchange_new_items = texts(args, 'new_item_ids').sort();
  order.exchange_payment_method_id = text(args, 'payment_method_id');
  order.exchange_price_difference = difference;
  return order;
}

function returnItems(data: RetailData, args: Arguments): Order {
  const order = orderIn(data, args, 'delivered', 'non-delivered order cannot be returned');
  const methodId = text(args, 'payment_method_id');
  methodOf(data, order, methodId);
  if (!methodId.includes('gift_card') && methodId !== order.payment_history[0]?.payment_method_id) {
    refuse('payment method should be either the original payment method or a gift card');
  }
  const itemIds = texts(args, 'item_ids');
  if (missingItem(order, itemIds) !== null) refuse('some item not found');
  order.status = 'return requested';
  order.return_items = itemIds.sort();
  order.return_payment_method_id = methodId;
  return order;
}

/** What exchanging and modifying have in common: the pairs of items, the difference in price, the means of payment. */
function exchangeIn(data: RetailData, args: Arguments, status: string, otherwise: string): Exchange {
  const order = orderIn(data, args, status, otherwise);
  const itemIds = texts(args, 'item_ids');
  const newItemIds = texts(args, 'new_item_ids');
  const missing = missingItem(order, itemIds);
  if (missing !== null) refuse(`${missing} not found`);
  if (itemIds.length !== newItemIds.length) refuse('the number of items to be exchanged should match');
  const replacements = itemIds.map((itemId, index) => {
    const newItemId = newItemIds[index] ?? '';
    const item = order.items.find((one) => one.item_id === itemId);
    const variant = data.products[item?.product_id ?? '']?.variants[newItemId];
    if (item === undefined || variant?.available !== true) {
      return refuse(`new item ${newItemId} not found or available`);
    }
    return { item, variant, newItemId };
  });
  const difference = replacements.reduce((sum, { item, variant }) => sum + (variant.price - item.price), 0);
  return { order, replacements, difference, method: methodOf(data, order, text(args, 'payment_method_id')) };
}

function orderIn(data: RetailData, args: Arguments, status: string, otherwise: string): Order {
  const order = data.orders[text(args, 'order_id')];
  if (order === undefined) return refuse('order not found');
  return order.status === status ? order : refuse(otherwise);
}

function methodOf(data: RetailData, order: Order, id: string): PaymentMethod {
  return data.users[order.user_id]?.payment_methods[id] ?? refuse('payment method not found');
}

/** The first id that is asked for more often than the order has it. */
function missingItem(order: Order, itemIds: readonly string[]): string | null {
  const count = (ids: readonly string[], id: string) => ids.filter((one) => one === id).length;
  const held = order.items.map((item) => item.item_id);
  return itemIds.find((id) => count(itemIds, id) > count(held, id)) ?? null;
}

function cannotPay(method: PaymentMethod, amount: number): boolean {
  return method.source === 'gift_card' && (method.balance ?? 0) < amount;
}

function credit(method: PaymentMethod, amount: number): void {
  method.balance = cents((method.balance ?? 0) + amount);
}

/** Python's round(value, 2); ties do not occur among differences of prices. */
function cents(value: number): number {
  return Number(value.toFixed(2));
}

function text(args: Arguments, name: string): string {
  return String(args[name]);
}

function texts(args: Arguments, name: string): string[] {
  return (args[name] as unknown[]).map(String);
}

function refuse(message: string): never {
  throw new Refusal(`Error: ${message}`);
}
