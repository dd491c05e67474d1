const KEY = 'countersign.tenant';

/** The tenant that was looked at last, in any tab of this browser. */
export function rememberedTenant(): string | null {
  return window.localStorage.getItem(KEY);
}

/** Keeps the tenant for the next page that names none. */
export function rememberTenant(slug: string): void {
  window.localStorage.setItem(KEY, slug);
}
