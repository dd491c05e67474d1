/** The dependency rules (ARCHITECTURE.md, The rooms). Every rule is an error. */

const TEST = '\\.test\\.tsx?$';
const TESTING = `${TEST}|^test/|^libs/agent-core/src/testing/`;
const CORE = '^libs/agent-core/src/';
const API = '^apps/api/src/';
const GENERATED = `${API}platform/generated/`;

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const npm = (...names) => `(^|/)node_modules/(${names.join('|')})/`;

/** Rule 2: what each room of agent-core may import, besides itself. */
const ladder = {
  shared: [],
  model: ['shared'],
  tools: ['shared', 'model'],
  budget: ['shared', 'model'],
  breaker: ['shared', 'model'],
  policy: ['shared', 'model', 'tools', 'budget', 'breaker'],
  run: ['shared', 'model', 'tools', 'budget', 'breaker', 'policy'],
  loop: ['shared', 'model', 'tools', 'budget', 'breaker', 'policy', 'run'],
  adapters: ['shared', 'model', 'tools'],
};

/** Rule 1: a vendor's SDK is known in its own adapter folder alone. */
const vendors = {
  openai: 'openai-[^/]+',
  '@anthropic-ai/sdk': 'anthropic-messages',
  '@google/genai': 'google',
};

/** Rule 5: the features of the API and their named edges; platform and tenancy serve every feature. */
const features = {
  runs: ['catalog'],
  execution: ['runs', 'governance', 'catalog', 'tools'],
  approvals: ['runs', 'governance', 'catalog'],
  demo: ['approvals', 'runs', 'governance', 'catalog', 'identity'],
  governance: [],
  catalog: ['tools'],
  tools: [],
  webhooks: [],
  audit: [],
  metrics: [],
  tenancy: [],
  identity: [],
};
const anyFeature = Object.keys(features).join('|');

const coreRules = [
  forbid(
    '1-core-packages',
    'agent-core imports zod, ajv, lossless-json, re2js, node:crypto, the vendor SDKs and itself.',
    { path: CORE, pathNot: TESTING },
    {
      pathNot: [
        CORE,
        npm('zod', 'ajv', 'ajv-formats', 'lossless-json', 're2js', ...Object.keys(vendors)),
        '^(node:)?crypto$',
      ],
    },
  ),
  ...Object.entries(vendors).map(([name, folder]) =>
    forbid(
      `1-vendor-sdk-${folder.replace(/\W.*/, '')}`,
      `${name} is imported only in its own adapter folder.`,
      { path: CORE, pathNot: [`${CORE}adapters/${folder}/`] },
      { path: npm(name) },
    ),
  ),
  ...Object.entries(ladder).map(([room, below]) =>
    forbid(
      `2-ladder-${room}`,
      `${room} imports only rooms to its left: ${below.join(', ') || 'none'}.`,
      { path: `${CORE}${room}/`, pathNot: TEST },
      { path: CORE, pathNot: `${CORE}(${[room, ...below].join('|')})/` },
    ),
  ),
  forbid(
    '2-adapters-apart',
    'An adapter never imports another adapter: what they share is in adapters/wire.',
    { path: `${CORE}adapters/([^/]+)/`, pathNot: TEST },
    { path: `${CORE}adapters/`, pathNot: `${CORE}adapters/($1|wire|openai-shared)/` },
  ),
  forbid(
    '2-openai-shared',
    "What the adapters of OpenAI's SDK share is theirs alone.",
    { path: `${CORE}adapters/`, pathNot: [TEST, `${CORE}adapters/openai-[^/]+/`] },
    { path: `${CORE}adapters/openai-shared/` },
  ),
];

const packageRules = [
  forbid(
    '3-contracts-only-zod',
    'contracts imports only zod.',
    { path: '^libs/contracts/src/', pathNot: TEST },
    { pathNot: ['^libs/contracts/src/', npm('zod')] },
  ),
  forbid(
    '3-clients-know-contracts-only',
    'The dashboard and the client import contracts, never agent-core nor apps/api.',
    { path: '^(apps/dashboard|libs/client)/' },
    { path: '^(libs/agent-core|apps/api|examples)/' },
  ),
  forbid(
    '3-packages-know-no-application',
    'libs and examples never import an application.',
    { path: '^(libs|examples)/' },
    { path: '^apps/' },
  ),
  forbid(
    '3-libs-know-no-examples',
    'libs never import examples.',
    { path: '^libs/' },
    { path: '^examples/' },
  ),
];

const apiRules = [
  forbid(
    '4-nest',
    'Nest stays in *.module|controller|guard|pipe|filter|interceptor.ts and the entries.',
    {
      path: API,
      pathNot: [
        TEST,
        '\\.(module|controller|guard|pipe|filter|interceptor)\\.ts$',
        `${API}(main|worker)\\.ts$`,
      ],
    },
    { path: npm('@nestjs') },
  ),
  forbid(
    '4-prisma',
    'Prisma stays in *.repository.ts and platform.',
    { path: API, pathNot: [TEST, '\\.repository\\.ts$', `${API}platform/`] },
    { path: [npm('@prisma', 'prisma'), GENERATED] },
  ),
  forbid(
    '4-pg',
    'The connections to Postgres are opened in platform.',
    { path: API, pathNot: [TEST, `${API}platform/`] },
    { path: npm('pg') },
  ),
  forbid(
    '4-worker-without-prisma',
    'The worker calls SQL functions alone: what it reaches loads no Prisma (docs/adr/0007).',
    { path: `${API}worker\\.ts$` },
    { path: [npm('@prisma', 'prisma'), GENERATED], reachable: true },
  ),
  forbid(
    '4-bullmq',
    'BullMQ stays in wake.ts, relay.ts, processors.ts and platform.',
    { path: API, pathNot: [TEST, '/(wake|relay|processors)\\.ts$', `${API}platform/`] },
    { path: npm('bullmq', '@nestjs/bullmq', 'ioredis') },
  ),
  ...Object.entries(features).map(([feature, edges]) =>
    forbid(
      `5-feature-${feature}`,
      `${feature} imports only ${['platform', 'tenancy', ...edges].join(', ')}.`,
      { path: `${API}${feature}/`, pathNot: TEST },
      { path: `${API}(${anyFeature})/`, pathNot: `${API}(${[feature, 'tenancy', ...edges].join('|')})/` },
    ),
  ),
  forbid(
    '5-platform-below-features',
    'platform serves the features and knows none but tenancy.',
    { path: `${API}platform/`, pathNot: TEST },
    { path: `${API}(${anyFeature})/`, pathNot: `${API}tenancy/` },
  ),
];

const DESK = '^apps/dashboard/src/';

/** Rule 7: app is made of features; features stand on frame, api and kit, each of which knows only what is below it. */
const dashboardRules = [
  forbid(
    '7-feature-apart',
    'A feature of the dashboard never imports another feature.',
    { path: `${DESK}features/([^/]+)/`, pathNot: TEST },
    { path: `${DESK}(features|app)/`, pathNot: `${DESK}features/$1/` },
  ),
  forbid(
    '7-frame-below-features',
    'The frame stands on api and kit.',
    { path: `${DESK}frame/` },
    { path: `${DESK}(features|app)/` },
  ),
  forbid(
    '7-api-below-frame',
    "The dashboard's api client stands on kit alone.",
    { path: `${DESK}api/` },
    { path: `${DESK}(features|app|frame)/` },
  ),
  forbid(
    '7-kit-alone',
    'The kit knows nothing of what it is used for.',
    { path: `${DESK}kit/` },
    {
      path: DESK,
      pathNot: `${DESK}kit/`,
    },
  ),
  forbid(
    '7-contracts-as-types',
    'The page carries no schema: contracts are imported as types.',
    { path: DESK, pathNot: TEST },
    { path: '^libs/contracts/', dependencyTypesNot: ['type-only'] },
  ),
];

const shapeRules = [
  forbid('6-no-cycles', 'No cycles, type imports included.', { pathNot: GENERATED }, { circular: true }),
  forbid(
    '6-no-orphans',
    'Every module is reached, or reaches something.',
    {
      orphan: true,
      pathNot: [
        '\\.d\\.ts$',
        '\\.test\\.tsx?$',
        '\\.config\\.(c|m)?[jt]s$',
        '^apps/dashboard/src/app/.*/route\\.ts$',
        // Loaded by its path, before the product.
        '^test/faults/shift-clock\\.cjs$',
        GENERATED,
      ],
    },
    {},
  ),
  forbid(
    '6-production-never-imports-tests',
    'Production never imports tests.',
    { pathNot: TESTING },
    { path: TESTING },
  ),
  forbid('6-resolvable', 'Every import leads somewhere.', {}, { couldNotResolve: true }),
  forbid(
    '6-declared',
    'Every package is declared by who imports it.',
    { pathNot: GENERATED },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
];

module.exports = {
  forbidden: [...coreRules, ...packageRules, ...apiRules, ...dashboardRules, ...shapeRules],
  options: {
    doNotFollow: { path: ['node_modules'] },
    // Ours alone: a package of node_modules whose entry lies in a dist folder must stay in the graph.
    exclude: { path: ['^(apps/[^/]+|libs/[^/]+|examples)/(dist|\\.next)/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
