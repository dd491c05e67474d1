import path from 'node:path';
import type { NextConfig } from 'next';

/** For every answer; what a page may load depends on its nonce and is said in src/proxy.ts. */
const headers = [
  { key: 'x-content-type-options', value: 'nosniff' },
  { key: 'x-frame-options', value: 'DENY' },
  { key: 'referrer-policy', value: 'no-referrer' },
  { key: 'cross-origin-opener-policy', value: 'same-origin' },
  { key: 'permissions-policy', value: 'camera=(), microphone=(), geolocation=(), payment=(), usb=()' },
];

/** The workspace is the root, so that packages hoisted by npm are found. */
const config: NextConfig = {
  turbopack: { root: path.resolve(process.cwd(), '../..') },
  poweredByHeader: false,
  devIndicators: false,
  // `npm run types` checks them, once for the whole workspace: half of a build's time.
  typescript: { ignoreBuildErrors: true },
  headers: async () => [{ source: '/((?!api/|v1/).*)', headers }],
};

export default config;
