'use client';

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end counts as there, in pixels. */
const NEAR = 48;

/**
 * Keeps the end in sight while what is scrolled grows, until the reader scrolls up; again once they came back to the
 * end. `away`: the reader is not at the end.
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  height: number,
  follow: boolean,
): { readonly away: boolean; readonly toEnd: () => void } {
  const [away, setAway] = useState(false);
  const kept = useRef(follow);
  const before = useRef(0);

  useEffect(() => {
    const element = scroller.current;
    const scrolled = () => {
      if (element === null) {
        return;
      }
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
      // What grows moves the end away as well, but never the reader up.
      const isUp = element.scrollTop < before.current;
      before.current = element.scrollTop;
      kept.current = isNear || (kept.current && !isUp);
      setAway(!kept.current);
    };
    element?.addEventListener('scroll', scrolled, { passive: true });
    return () => element?.removeEventListener('scroll', scrolled);
  }, [scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is because of the height that there is more to scroll
  useLayoutEffect(() => {
    const element = scroller.current;
    if (follow && kept.current && element !== null) {
      element.scrollTop = element.scrollHeight;
    }
  }, [height, follow, scroller]);

  const toEnd = useCallback(() => {
    kept.current = true;
    setAway(false);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);
  return { away, toEnd };
}
