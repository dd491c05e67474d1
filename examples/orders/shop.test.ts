import { SHOP_ROUTES } from './shop.js';
import { ShopDatabase } from './shop-database.js';

const ask = (database: ShopDatabase, path: string, args: object, key = 'key-1') => {
  const route = SHOP_ROUTES[path];
  if (route === undefined) throw new Error(`no ${path}`);
  return route(database, { arguments: { customer_id: 'C-1001', ...args } }, key);
};

describe('the shop', () => {
  test('lists only the orders of the customer, newest first, within the days asked for', () => {
    const { body } = ask(new ShopDatabase(), '/search_orders', { since: '2026-10-01', status: 'refunded' });
    expect(body).toEqual({
      orders: [
        { orderId: 3, status: 'refunded', total: '129.00', date: '2026-10-20' },
        { orderId: 2, status: 'refunded', total: '19.99', date: '2026-10-03' },
      ],
    });
  });

  test('names the field when until lies before since', () => {
    const answer = ask(new ShopDatabase(), '/search_orders', { since: '2026-10-02', until: '2026-10-01' });
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringMatching(/^until: /) } });
  });

  test("does not know another customer's order", () => {
    expect(ask(new ShopDatabase(), '/draft_refund', { orderId: 4 })).toMatchObject({ status: 404 });
  });

  test('makes one refund a key, and none of an order that was refunded already', () => {
    const database = new ShopDatabase();
    const refund = { orderId: 1, amount: '20.00', reason: 'broken' };
    const first = ask(database, '/refund_order', refund);
    expect(ask(database, '/refund_order', refund)).toEqual(first);
    expect(ask(database, '/refund_order', refund, 'key-2')).toMatchObject({ status: 422 });
    expect(database.allRefunds()).toHaveLength(1);
  });

  test('refunds no more than the order cost', () => {
    expect(ask(new ShopDatabase(), '/refund_order', { orderId: 1, amount: '50.00' })).toMatchObject({
      status: 422,
      body: { detail: expect.stringMatching(/^amount: /) },
    });
  });

  test('can say afterwards whether a refund was made under a key', () => {
    const database = new ShopDatabase();
    ask(database, '/refund_order', { orderId: 1, amount: '49.99', reason: 'broken' });
    expect(ask(database, '/refund_order/reconcile', {}).body).toMatchObject({ outcome: 'happened' });
    expect(ask(database, '/refund_order/reconcile', {}, 'other').body).toEqual({ outcome: 'did_not_happen' });
  });

  test('says of a refunded order that the facts no longer hold', () => {
    const database = new ShopDatabase();
    expect(ask(database, '/refund_order/check', { orderId: 1 }).body).toMatchObject({ ok: true });
    database.markRefunded(1);
    expect(ask(database, '/refund_order/check', { orderId: 1 }).body).toMatchObject({ ok: false });
  });
});
