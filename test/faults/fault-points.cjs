// The places at which a process may be made to die: after each wait between claiming a run and letting go of it. The
// product has no code for this: crash.cjs, loaded before it by tests alone, puts the points around its parts.

/** @type {readonly string[]} in the order in which a refund that a person approves passes them */
const WORKER_POINTS = [
  'claim.returned',
  'definitions.loaded',
  'reservation.before',
  'reservation.after',
  'model.sent',
  'model.answered',
  'reply.before',
  'reply.after',
  'wait.before',
  'wait.after',
  'release.before',
  'facts.sent',
  'facts.answered',
  'intent.before',
  'intent.after',
  'effect.sent',
  'effect.answered',
  'outcome.before',
  'outcome.after',
  'end.before',
  'end.after',
  'leases.renewed',
  'sweep.returned',
];

/** @type {readonly string[]} those that only a run which was interrupted before passes */
const RECOVERY_POINTS = ['reconcile.sent', 'reconcile.answered'];

/** @type {readonly string[]} those of the API, around what it commits and the waking after it */
const API_POINTS = [
  'start.before',
  'start.after',
  'decision.before',
  'decision.after',
  'wake.before',
  'wake.after',
];

module.exports = { WORKER_POINTS, RECOVERY_POINTS, API_POINTS };
