import type { Outcome } from '@countersign/contracts';

/** What the word that it did not happen leads to: a second try, the end of a call that had it, or nothing in an ended run. */
export type AfterNo = 'sent_once_more' | 'call_ends' | 'run_ended';

/** Executions of one call: a second needs the word that the first did not happen, and there is no third. */
const MOST_TRIES = 2;

/** What a no would lead to. */
export function afterNo({ tries }: Pick<Outcome, 'tries'>, runEnded: boolean): AfterNo {
  if (runEnded) return 'run_ended';
  return tries >= MOST_TRIES ? 'call_ends' : 'sent_once_more';
}

const AFTER_NO: Readonly<Record<AfterNo, string>> = {
  sent_once_more:
    'The call is sent once more, with the same key. If it had happened after all, only that key stands between you and a second time.',
  call_ends:
    'The call has been sent twice and is not sent again: it ends as failed, and the run goes on. The same may be asked for again.',
  run_ended: 'The run has ended: nothing is sent now. The same may be asked for again.',
};

/** What a person's word on an effect in doubt sets going. An ended run does not go on; its intent is settled all the same. */
export function whatAnswerDoes(happened: boolean, no: AfterNo): string {
  if (!happened) return AFTER_NO[no];
  return no === 'run_ended'
    ? 'The run has ended and stays so. The call is never sent again: whoever asks for the same gets your word.'
    : 'The run goes on with your word, and the call is never sent again.';
}

const NO_MEANS: Readonly<Record<AfterNo, string>> = {
  sent_once_more: 'then it is sent once more.',
  call_ends: 'it is not sent a third time, and may be asked for again.',
  run_ended: 'then it may be asked for again.',
};

/** The end of the sentence "Be certain before you say that it did not happen: ". */
export function whatNoMeans(no: AfterNo): string {
  return NO_MEANS[no];
}
