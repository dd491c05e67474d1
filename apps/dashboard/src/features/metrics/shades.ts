/** The parts of a stack, dearest first, the last for all others: shades of one hue, since colour is for states. */
export const SHADES = [
  'bg-accent',
  'bg-accent/65',
  'bg-accent/40',
  'bg-accent/22',
  'bg-faint/70',
  'bg-line-strong',
] as const;
