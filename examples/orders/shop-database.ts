import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export type OrderStatus = 'shipped' | 'refunded';

/** An order of the shop. Amounts are decimal strings in US dollars, dates are calendar days. */
export interface Order {
  readonly orderId: number;
  readonly customerId: string;
  readonly status: OrderStatus;
  readonly total: string;
  readonly date: string;
}

/** A refund that was made, kept under the key that it was asked with. */
export interface Refund {
  readonly refundId: string;
  readonly orderId: number;
  readonly amount: string;
  readonly reason: string;
}

interface Contents {
  readonly orders: readonly Order[];
  readonly refunds: readonly (readonly [key: string, refund: Refund])[];
}

const FIRST_ORDERS: readonly Order[] = [
  { orderId: 1, customerId: 'C-1001', status: 'shipped', total: '49.99', date: '2026-09-28' },
  { orderId: 2, customerId: 'C-1001', status: 'refunded', total: '19.99', date: '2026-10-03' },
  { orderId: 3, customerId: 'C-1001', status: 'refunded', total: '129.00', date: '2026-10-20' },
  { orderId: 4, customerId: 'C-2002', status: 'refunded', total: '25.00', date: '2026-10-21' },
];

/** The shop's own small database: its orders, and a ledger of refunds by idempotency key. */
export class ShopDatabase {
  private orders = new Map<number, Order>();
  private readonly refunds = new Map<string, Refund>();

  /** With a file the shop remembers over restarts; without one it lives in memory. */
  constructor(private readonly file: string | null = null) {
    const contents = this.read();
    this.orders = new Map(contents.orders.map((order) => [order.orderId, order]));
    this.refunds = new Map(contents.refunds);
  }

  ordersOf(customerId: string): Order[] {
    return [...this.orders.values()].filter((order) => order.customerId === customerId);
  }

  /** The order, where there is one and it is this customer's. */
  orderOf(customerId: string, orderId: number): Order | null {
    const order = this.orders.get(orderId);
    return order?.customerId === customerId ? order : null;
  }

  refundUnder(key: string): Refund | null {
    return this.refunds.get(key) ?? null;
  }

  allRefunds(): Refund[] {
    return [...this.refunds.values()];
  }

  /** Makes a refund under this key, once: the same key gives the refund that it made before. */
  refund(key: string, refund: Omit<Refund, 'refundId'>): Refund {
    const before = this.refunds.get(key);
    if (before !== undefined) return before;
    const made = { refundId: `refund-${this.refunds.size + 1}`, ...refund };
    this.refunds.set(key, made);
    this.markRefunded(refund.orderId);
    return made;
  }

  /** A new order, shipped today. */
  place(order: Pick<Order, 'customerId' | 'total' | 'date'>): Order {
    const orderId = Math.max(...this.orders.keys()) + 1;
    const placed: Order = { orderId, status: 'shipped', ...order };
    this.orders.set(orderId, placed);
    this.write();
    return placed;
  }

  /** Somebody refunded the order by another way, say at the counter. */
  markRefunded(orderId: number): void {
    const order = this.orders.get(orderId);
    if (order !== undefined) this.orders.set(orderId, { ...order, status: 'refunded' });
    this.write();
  }

  private read(): Contents {
    if (this.file === null || !existsSync(this.file)) return { orders: FIRST_ORDERS, refunds: [] };
    return JSON.parse(readFileSync(this.file, 'utf8')) as Contents;
  }

  /** Written beside and renamed, so that a kill leaves the old file or the new one. */
  private write(): void {
    if (this.file === null) return;
    const contents: Contents = { orders: [...this.orders.values()], refunds: [...this.refunds] };
    writeFileSync(`${this.file}.new`, JSON.stringify(contents));
    renameSync(`${this.file}.new`, this.file);
  }
}
