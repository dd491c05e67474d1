/** What a person's word on an effect in doubt sets going. An ended run does not go on; its intent is settled all the same. */
export function whatAnswerDoes(happened: boolean, runEnded: boolean): string {
  if (happened) {
    return runEnded
      ? 'The run has ended and stays so. The call is never sent again: whoever asks for the same gets your word.'
      : 'The run goes on with your word, and the call is never sent again.';
  }
  return runEnded
    ? 'The run has ended: nothing is sent now. The same may be asked for again.'
    : 'The call is sent once more, with the same key. If it had happened after all, only that key stands between you and a second time.';
}

/** The end of the sentence "Be certain before you say that it did not happen: ". */
export function whatNoMeans(runEnded: boolean): string {
  return runEnded ? 'then it may be asked for again.' : 'then it is sent once more.';
}
