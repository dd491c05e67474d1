'use client';

import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { KeyHint } from './key-hint';

const REST_MS = 350;
const GAP = 6;
const MARGIN = 8;
const ID = 'hint';

/**
 * Shows the hint (`hint()`) of whatever is pointed at or focused. One layer serves the whole page: a list of a hundred
 * rows has four hundred hints, and no listener for any of them.
 */
export function HintLayer() {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  useEffect(() => watch(setTarget), []);
  return target === null ? null : <Bubble target={target} />;
}

function Bubble({ target }: { target: HTMLElement }) {
  const bubble = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (bubble.current !== null) {
      place(bubble.current, target.getBoundingClientRect());
    }
    const before = target.getAttribute('aria-describedby');
    target.setAttribute('aria-describedby', before === null ? ID : `${before} ${ID}`);
    return () => {
      if (before === null) {
        target.removeAttribute('aria-describedby');
      } else {
        target.setAttribute('aria-describedby', before);
      }
    };
  }, [target]);
  const keys = target.dataset.hintKeys;
  return (
    <div
      ref={bubble}
      id={ID}
      role="tooltip"
      className="pointer-events-none fixed z-50 flex max-w-80 animate-arrive items-center gap-2 whitespace-pre-line rounded-6 bg-overlay px-2 py-1 text-12 text-ink shadow-overlay"
    >
      {target.dataset.hint}
      {keys !== undefined && <KeyHint keys={keys} />}
    </div>
  );
}

/** Above the target where there is room, else below; never outside of the window. */
function place(bubble: HTMLElement, target: DOMRect): void {
  const { width, height } = bubble.getBoundingClientRect();
  const above = target.top - height - GAP;
  const left = target.left + target.width / 2 - width / 2;
  const rightmost = window.innerWidth - width - MARGIN;
  bubble.style.top = `${above >= MARGIN ? above : target.bottom + GAP}px`;
  bubble.style.left = `${Math.max(MARGIN, Math.min(left, rightmost))}px`;
}

function watch(show: (target: HTMLElement | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    clearTimeout(timer);
    show(null);
  };
  const over = ({ target, pointerType }: PointerEvent) => {
    const hinted = hintedAt(target);
    hide();
    if (hinted !== null && pointerType === 'mouse') {
      timer = setTimeout(() => hinted.isConnected && show(hinted), REST_MS);
    }
  };
  const focused = ({ target }: FocusEvent) => {
    const hinted = hintedAt(target);
    if (hinted?.matches(':focus-visible') === true) {
      show(hinted);
    }
  };
  const ending = new AbortController();
  const { signal } = ending;
  document.addEventListener('pointerover', over, { signal });
  document.addEventListener('pointerdown', hide, { signal });
  document.addEventListener('focusin', focused, { signal });
  document.addEventListener('focusout', hide, { signal });
  document.addEventListener('scroll', hide, { signal, capture: true, passive: true });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide(), { signal, capture: true });
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}

function hintedAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null;
}
