import type { RunStatus } from '@countersign/contracts';
import type { Actor, HandedBack, WaitingFor } from './story/happening';
import type { Note } from './story/story';

/** Why a run ended that has no reason of its own; the rest of them say it by their state alone. */
export const ENDING_WORDS: Partial<Record<RunStatus, string>> = {
  refused: 'The model, or the filter of its provider, refused.',
  incomplete: 'The reply was cut off.',
};

const HANDED_BACK: Readonly<Record<HandedBack, string>> = {
  shutdown: 'The worker stopped and handed the run back',
  lease_expired: 'The worker was lost; another one takes over where it was',
  suspended: 'The tenant was suspended',
  yielded: 'Handed back, since others had waited longer',
};

export const WAITING_FOR: Readonly<Record<WaitingFor, string>> = {
  intent_held: 'Waits for another call with the same intent',
  budget_reserved: 'Waits until money that other runs have reserved is free',
  provider_unavailable: 'Waits for the provider, which is away',
};

/** A note of a run as a sentence, without its full stop. */
export function noteWords(note: Note, nameOf: (actor: Actor) => string): string {
  switch (note.note) {
    case 'handed_back':
      return HANDED_BACK[note.reason];
    case 'waiting':
      return WAITING_FOR[note.why];
    case 'cancel_requested':
      return `${nameOf(note.by)} asked to cancel`;
  }
}

/** Where the rule stands that judged a call: `tenant:0`, `agent:1`, `default`, `handover` are the policy's own names. */
export function ruleWords(rule: string, version: number): string {
  const [owner = '', index] = rule.split(':');
  if (index !== undefined && /^\d+$/.test(index)) {
    const number = `rule ${Number(index) + 1}`;
    return owner === 'agent' ? `${number} of the agent` : `${number} of tenant policy v${version}`;
  }
  if (owner === 'default') return `the default, as no rule of tenant policy v${version} says otherwise`;
  return owner === 'handover' ? 'too many denials in this run' : `${rule}, tenant policy v${version}`;
}

/** `1 call`, `3 calls`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;
}
