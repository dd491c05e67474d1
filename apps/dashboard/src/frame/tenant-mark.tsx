/** The first letter of a tenant, by which it is found at a glance. */
export function TenantMark({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="flex size-5 shrink-0 items-center justify-center rounded-4 bg-ink font-semibold text-11 text-surface"
    >
      {name.trim().charAt(0).toUpperCase()}
    </span>
  );
}
