'use client';

import { parseAsString, parseAsStringLiteral, useQueryState } from 'nuqs';

export const TABS = ['conversation', 'timeline', 'events'] as const;
export type Tab = (typeof TABS)[number];

/** What of the page stands in its URL: a link shows a colleague the same tab with the same span open. */
export function usePlace() {
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(TABS).withDefault('conversation'));
  const [span, setSpan] = useQueryState('span', parseAsString);
  return {
    tab,
    setTab: (next: Tab) => void setTab(next),
    span,
    open: (id: string | null) => void setSpan(id),
  };
}
