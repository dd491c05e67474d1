/** The usual reasons of a rejection, by the key that chooses each. The model reads them: they say what to do next. */
export const USUAL_REASONS: readonly string[] = [
  'The amount is not right.',
  'There is not enough to go on: ask the customer for more.',
  'Our rules do not allow it.',
  'It has been taken care of already.',
  'A person will take this over: do not ask for it again.',
];
