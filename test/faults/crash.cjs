// Loaded before the product (node --require), it kills the process with SIGKILL when it comes by the point that
// COUNTERSIGN_FAULT names for the n-th time: <point>[:<n>].
const { subscribe } = require('node:diagnostics_channel');
const { ClaimRepository } = require('../../apps/api/dist/execution/claim.repository.js');
const { LeaseRepository } = require('../../apps/api/dist/execution/lease.repository.js');
const { Leases } = require('../../apps/api/dist/execution/leases.js');
const { SweepRepository } = require('../../apps/api/dist/execution/sweep.repository.js');
const { DefinitionCatalog } = require('../../apps/api/dist/catalog/definitions.js');
const { LedgerRepository } = require('../../apps/api/dist/runs/ledger.repository.js');
const { Wake } = require('../../apps/api/dist/platform/wake.js');
const { WORKER_POINTS, RECOVERY_POINTS, API_POINTS } = require('./fault-points.cjs');

const [wanted = '', times = '1'] = (process.env.COUNTERSIGN_FAULT ?? '').split(':');
if (![...WORKER_POINTS, ...RECOVERY_POINTS, ...API_POINTS].includes(wanted)) {
  throw new Error(`there is no fault point ${JSON.stringify(wanted)}`);
}
let left = Number(times);

/** @param {string} point */
function reach(point) {
  if (point !== wanted) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

/**
 * @param {{ prototype: any }} owner
 * @param {string} method
 * @param {{ before?: (...given: any[]) => void, after?: (result: any, ...given: any[]) => void }} points
 */
function around(owner, method, { before = () => {}, after }) {
  const original = owner.prototype[method];
  if (typeof original !== 'function') throw new Error(`there is no ${method} to put a fault point around`);
  owner.prototype[method] = function passing(/** @type {any[]} */ ...given) {
    before(...given);
    const result = original.apply(this, given);
    if (after === undefined) return result;
    return result.then((/** @type {any} */ value) => {
      after(value, ...given);
      return value;
    });
  };
}

around(ClaimRepository, 'claim', { after: (claimed) => claimed !== null && reach('claim.returned') });
around(DefinitionCatalog, 'load', { after: () => reach('definitions.loaded') });
around(Leases, 'release', { before: () => reach('release.before') });
around(LeaseRepository, 'renew', { after: (kept) => kept.size > 0 && reach('leases.renewed') });
around(SweepRepository, 'sweep', { after: ({ swept }) => swept.length > 0 && reach('sweep.returned') });
around(LedgerRepository, 'start', { before: () => reach('start.before'), after: () => reach('start.after') });
around(LedgerRepository, 'commit', {
  before: (step) => {
    for (const kind of kindsOf(step)) reach(`${kind}.before`);
  },
  after: (outcome, step) => {
    if (outcome.type !== 'committed') return;
    for (const kind of kindsOf(step)) reach(`${kind}.after`);
  },
});
around(Wake, 'runs', { before: () => reach('wake.before'), after: () => reach('wake.after') });

/** What a step makes durable. @param {any} step */
function kindsOf(step) {
  const types = step.events.map((/** @type {any} */ { event }) => event.type);
  const has = (/** @type {RegExp} */ pattern) =>
    types.some((/** @type {string} */ type) => pattern.test(type));
  return [
    ...(has(/^model\.(responded|failed)$/) ? ['reply'] : []),
    ...(has(/^tool\.(succeeded|failed|unknown|settled)$/) ? ['outcome'] : []),
    ...(step.intentions.length > 0 ? ['intent'] : []),
    ...(step.reserve === null ? [] : ['reservation']),
    ...(has(/^run\.waiting$/) ? ['wait'] : []),
    ...(has(/^run\.finished$/) ? ['end'] : []),
    ...(has(/^approval\.decided$/) ? ['decision'] : []),
  ];
}

/** Requests tell of themselves: what the product uses to send them publishes each stage. */
subscribe('undici:request:bodySent', (message) => reach(`${purposeOf(message)}.sent`));
subscribe('undici:request:trailers', (message) => reach(`${purposeOf(message)}.answered`));

/** @param {any} message */
function purposeOf({ request: { path } }) {
  if (path.endsWith('/chat/completions')) return 'model';
  if (path.endsWith('/check')) return 'facts';
  return path.endsWith('/reconcile') ? 'reconcile' : 'effect';
}
