import { type RunRecord, verdictOf } from './verdict.js';

const SENT: RunRecord = {
  status: 'completed',
  reason: null,
  call: 'succeeded',
  code: null,
  tries: 1,
  made: 1,
};
const GIVEN_UP: RunRecord = { ...SENT, call: 'failed', code: 'did_not_happen', tries: 2, made: 0 };

test.each<[string, string, RunRecord]>([
  ['made once, and recorded', 'once', SENT],
  ['made once at its second try, and recorded', 'once', { ...SENT, tries: 2 }],
  ['not made after two tries, and recorded as not made', 'given_up', GIVEN_UP],
  ['given up after one try alone', 'lost', { ...GIVEN_UP, tries: 1 }],
  ['made, and recorded as not made', 'lost', { ...GIVEN_UP, made: 1 }],
  ['recorded as made, and not made', 'lost', { ...SENT, made: 0 }],
  ['made, and recorded as unknown', 'lost', { ...SENT, call: 'unknown' }],
  ['failed for another reason', 'lost', { ...GIVEN_UP, code: 'tool_credentials_unreadable' }],
  ['never asked for', 'lost', { ...SENT, call: null, tries: 0, made: 0 }],
  ['made twice', 'doubled', { ...SENT, made: 2 }],
  ['made twice, and recorded as not made', 'doubled', { ...GIVEN_UP, made: 2 }],
])('an effect %s is %s', (_what, verdict, record) => {
  expect(verdictOf(record)).toBe(verdict);
});
