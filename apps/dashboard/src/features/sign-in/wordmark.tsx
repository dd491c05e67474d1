/** The name, with its sign: a line, signed. */
export function Wordmark() {
  return (
    <p className="flex items-center gap-2 font-semibold text-16 tracking-tight">
      <svg
        aria-hidden
        viewBox="0 0 24 24"
        className="size-6"
        fill="none"
        stroke="currentColor"
        strokeLinecap="round"
      >
        <path d="M4 19.5h16" strokeWidth="2" className="text-line-strong" stroke="currentColor" />
        <path
          d="M5 15c2-5.5 4.500-9.500 6-9.500 1.700 0-2.500 9 .2 9 1.800 0 2.800-4 4.300-4 1.200 0 .3 3.500 3.500 2.800"
          strokeWidth="2"
          className="text-accent"
          stroke="currentColor"
        />
      </svg>
      Countersign
    </p>
  );
}
