import path from 'node:path';
import type { NextConfig } from 'next';

/** The workspace is the root, so that packages hoisted by npm are found. */
const config: NextConfig = {
  turbopack: { root: path.resolve(process.cwd(), '../..') },
};

export default config;
