/** An order of the shop. Amounts are decimal strings in US dollars, dates are calendar days. */
export interface Order {
  readonly orderId: number;
  readonly customerId: string;
  /** What was bought; the orders of the scenario do not say. */
  readonly item?: string;
  readonly status: 'shipped' | 'refunded';
  readonly total: string;
  readonly date: string;
}
