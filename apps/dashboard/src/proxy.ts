import { type NextRequest, NextResponse } from 'next/server';

/** Where the API answers: API_URL, else the loopback address on API_PORT (3001). */
function apiUrl(): string {
  return process.env.API_URL ?? `http://127.0.0.1:${process.env.API_PORT ?? '3001'}`;
}

/** In front of every page: hands the API's paths on, asks for a sign-in, and says what a page may load. */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  if (/^\/(api|v1|admin\/v1)\//.test(pathname)) {
    return toApi(request);
  }
  if (pathname !== '/sign-in' && !hasSession(request)) {
    const signIn = new URL('/sign-in', request.url);
    if (pathname !== '/') {
      signIn.searchParams.set('next', pathname + search);
    }
    return NextResponse.redirect(signIn);
  }
  return page(request);
}

/** The API checks that a request came from this origin: it is told which host was asked for. */
function toApi(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  const headers = new Headers(request.headers);
  const asked = request.headers.get('x-forwarded-host') ?? request.headers.get('host');
  if (asked !== null) {
    headers.set('x-forwarded-host', asked);
  }
  return NextResponse.rewrite(new URL(pathname + search, apiUrl()), { request: { headers } });
}

/** Whether a session's cookie is there; whether it is good, the API says. */
function hasSession(request: NextRequest): boolean {
  return request.cookies.getAll().some(({ name }) => name.endsWith('.session_token'));
}

/**
 * A page may run the scripts and styles that carry this answer's nonce, and load from its own origin alone. Nothing is
 * inline: a style attribute in the document would be refused; React sets styles through the object model.
 */
function page(request: NextRequest): NextResponse {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))));
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === 'development');
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

/** Next reads the nonce out of it. Its development server compiles with eval, which nothing else does. */
function contentSecurityPolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}

export const config = {
  matcher: ['/((?!_next/static|_next/image|readyz|favicon|icon).*)'],
};
