import { LosslessNumber } from 'lossless-json';
import { type SummarizedCall, summarize, summarizeBriefly } from './summary';

const call = (tool: string, args: object, rest: Partial<SummarizedCall> = {}): SummarizedCall => ({
  tool,
  arguments: args,
  money: null,
  subject: null,
  ...rest,
});
const usd = (amount: string) => ({ amount, currency: 'USD' });
const customer = { id: 'C-1001' };

describe('a call in one sentence', () => {
  test.each<[string, SummarizedCall]>([
    [
      'Refund $129.00 on order 3 to C-1001',
      call(
        'refund_order',
        { orderId: 3, amount: '129.00', reason: 'damaged' },
        { money: usd('129.00'), subject: customer },
      ),
    ],
    [
      'Refund $129.00 on order 3 to C-1001',
      call(
        'refundOrder',
        { order_id: '3', amount: '129.00' },
        { money: usd('129.000000'), subject: customer },
      ),
    ],
    [
      'Send $20.00 credit to C-1001',
      call('send_credit', { amount: '20' }, { money: usd('20'), subject: customer }),
    ],
    [
      'Send $20.00 credit on booking NW-7 to C-1001',
      call('send_credit', { bookingId: 'NW-7' }, { money: usd('20'), subject: customer }),
    ],
    [
      'Transfer €50.00 from account A to account B for C-1001',
      call(
        'transfer_funds',
        { from_account: 'A', to_account: 'B' },
        { money: { amount: '50', currency: 'EUR' }, subject: customer },
      ),
    ],
    [
      'Charge $5.00 on card 42 for C-1001',
      call('charge_card', { cardId: '42' }, { money: usd('5'), subject: customer }),
    ],
    [
      'Send $25.00 credit to C-1001',
      call(
        'send_credit',
        { customer_id: 'C-1001', amount: '25.00' },
        { money: usd('25.00'), subject: customer },
      ),
    ],
    ['Close customer C-1001', call('close_customer', { customer_id: 'C-1001' }, { subject: customer })],
    ['Cancel order 3 for C-1001', call('cancel_order', { id: 3 }, { subject: customer })],
    [
      'Upgrade plan pro, $99.00, for C-1001',
      call('upgrade_plan', { plan: 'pro' }, { money: usd('99'), subject: customer }),
    ],
    [
      'Create event “Team meeting”',
      call('create_event', { slot: '2026-11-03T10:00', title: 'Team meeting' }),
    ],
    ['Send notification on event e7', call('send_notification', { event_id: 'e7', message: 'Hello' })],
    [
      'Send email to a@b.test for C-1001',
      call('send_email', { to: 'a@b.test', body: 'Hi' }, { subject: customer }),
    ],
    [
      'Delete pod payments-api-7d9f',
      call('delete_pod', { namespace: 'payments', pod_name: 'payments-api-7d9f' }),
    ],
    ['Reindex', call('reindex', {})],
    [
      'Cancel order 9007199254740993',
      call('cancel_order', { orderId: new LosslessNumber('9007199254740993') }),
    ],
  ])('%s', (sentence, asked) => {
    expect(summarize(asked)).toBe(sentence);
  });

  test('a row that shows money and subject elsewhere leaves them out', () => {
    expect(
      summarizeBriefly(call('refund_order', { orderId: 3 }, { money: usd('129'), subject: customer })),
    ).toBe('Refund order 3');
  });

  test('a long value is cut between characters, and its lines run on', () => {
    const said = summarize(call('create_event', { title: `a\nb${'😀'.repeat(80)}` }));
    expect(said).toBe(`Create event “a b${'😀'.repeat(56)}…”`);
  });

  test.each([null, 'text', [1], { orderId: { nested: 1 } }])(
    'arguments of any kind do no harm: %j',
    (odd) => {
      expect(summarize({ tool: 'refund_order', arguments: odd, money: null, subject: 7 })).toBe(
        'Refund order',
      );
    },
  );
});
