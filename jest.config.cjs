/** Packages that ship ES modules only: Jest runs as CommonJS, so swc translates them as it does ours. */
const esModulesOnly = ['@nestjs', '@prisma/client'];

const shared = {
  rootDir: __dirname,
  setupFiles: ['<rootDir>/tools/fast-check-runs.cjs'],
  testEnvironment: '<rootDir>/tools/test-environment.cjs',
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  moduleNameMapper: {
    '^@countersign/(agent-core|contracts)$': '<rootDir>/libs/$1/src/index',
    '^@countersign/agent-core/testing$': '<rootDir>/libs/agent-core/src/testing/index',
    '^@countersign/examples$': '<rootDir>/examples/index',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: [
    '<rootDir>/.*/dist/',
    '<rootDir>/apps/dashboard/.next/',
    '<rootDir>/.countersign/',
  ],
  transform: {
    '^.+\\.(t|j|mj)sx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esModulesOnly.join('|')})/)`],
};

/** `unit` needs no service; `system` needs the Postgres and the queue that tools/test.mjs starts. */
module.exports = {
  // One more than processors: many suites wait for leases, holds and browsers.
  maxWorkers: 3,
  // As many minutes as properties are tried hundreds of times.
  testTimeout: Math.max(60_000, Number(process.env.FAST_CHECK_RUNS ?? 0) * 600),
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['libs', 'apps', 'tools', 'examples'].map((folder) => `<rootDir>/${folder}/**/*.test.ts`),
    },
    {
      ...shared,
      displayName: 'system',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
