import { afterNo, whatAnswerDoes, whatNoMeans } from './what-answers-mean';

test('a call that was sent once is sent once more, and one that was sent twice is not', () => {
  expect(whatAnswerDoes(false, afterNo({ tries: 1 }, false))).toContain('sent once more');
  for (const words of [whatAnswerDoes(false, afterNo({ tries: 2 }, false)), whatNoMeans('call_ends')]) {
    expect(words).toMatch(/is not sent (again|a third time)/);
    expect(words).not.toContain('once more');
  }
});

test('in an ended run nothing is sent, however often it was', () => {
  expect([afterNo({ tries: 1 }, true), afterNo({ tries: 2 }, true)]).toEqual(['run_ended', 'run_ended']);
});
