/** What a colour means. Everything that is not a state is neutral. */
export type Tone = 'neutral' | 'amber' | 'blue' | 'green' | 'red' | 'violet';

export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  neutral: 'text-muted',
  amber: 'text-amber',
  blue: 'text-blue',
  green: 'text-green',
  red: 'text-red',
  violet: 'text-violet',
};

export const TONE_GROUND: Readonly<Record<Tone, string>> = {
  neutral: 'bg-hover',
  amber: 'bg-amber-soft',
  blue: 'bg-blue-soft',
  green: 'bg-green-soft',
  red: 'bg-red-soft',
  violet: 'bg-violet-soft',
};
