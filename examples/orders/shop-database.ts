import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { demoOrders } from './demo-orders.js';
import type { Order } from './order.js';

/** A refund that was made, kept under the key that it was asked with. */
export interface Refund {
  readonly refundId: string;
  readonly orderId: number;
  readonly amount: string;
  readonly reason: string;
}

/** Credit for the next purchase, kept under the key that it was asked with. */
export interface Credit {
  readonly creditId: string;
  readonly customerId: string;
  readonly amount: string;
  readonly reason: string;
}

interface Contents {
  readonly orders: readonly Order[];
  readonly credits?: readonly (readonly [key: string, credit: Credit])[];
  readonly refunds: readonly (readonly [key: string, refund: Refund])[];
}

const FIRST_ORDERS: readonly Order[] = [
  { orderId: 1, customerId: 'C-1001', status: 'shipped', total: '49.99', date: '2026-09-28' },
  { orderId: 2, customerId: 'C-1001', status: 'refunded', total: '19.99', date: '2026-10-03' },
  { orderId: 3, customerId: 'C-1001', status: 'refunded', total: '129.00', date: '2026-10-20' },
  { orderId: 4, customerId: 'C-2002', status: 'refunded', total: '25.00', date: '2026-10-21' },
];

/** The shop's own small database: its orders, and ledgers of refunds and credits by idempotency key. */
export class ShopDatabase {
  private orders = new Map<number, Order>();
  private readonly refunds = new Map<string, Refund>();
  private readonly credits = new Map<string, Credit>();

  /**
   * With a file the shop remembers over restarts, and opens with the orders of the demonstration; without one it lives
   * in memory, with those of the scenario alone.
   */
  constructor(private readonly file: string | null = null) {
    const contents = this.read();
    this.orders = new Map(contents.orders.map((order) => [order.orderId, order]));
    this.refunds = new Map(contents.refunds);
    this.credits = new Map(contents.credits);
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
    this.orderAgain(refund.orderId);
    return made;
  }

  /** Gives credit under this key, once. */
  credit(key: string, credit: Omit<Credit, 'creditId'>): Credit {
    const before = this.credits.get(key);
    if (before !== undefined) return before;
    const made = { creditId: `credit-${this.credits.size + 1}`, ...credit };
    this.credits.set(key, made);
    this.write();
    return made;
  }

  /** A new order, shipped on its date. */
  place(order: Omit<Order, 'orderId' | 'status'>): Order {
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

  /** Who got money back for a named thing buys it anew, so that a demonstration does not run out of orders. */
  private orderAgain(orderId: number): void {
    const order = this.orders.get(orderId);
    if (order?.item === undefined) return;
    const { customerId, item, total } = order;
    this.place({ customerId, item, total, date: today() });
  }

  private read(): Contents {
    if (this.file === null) return { orders: FIRST_ORDERS, refunds: [] };
    if (!existsSync(this.file)) return { orders: [...FIRST_ORDERS, ...demoOrders(today())], refunds: [] };
    return JSON.parse(readFileSync(this.file, 'utf8')) as Contents;
  }

  /** Written beside and renamed, so that a kill leaves the old file or the new one. */
  private write(): void {
    if (this.file === null) return;
    const contents: Contents = {
      orders: [...this.orders.values()],
      refunds: [...this.refunds],
      credits: [...this.credits],
    };
    writeFileSync(`${this.file}.new`, JSON.stringify(contents));
    renameSync(`${this.file}.new`, this.file);
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
