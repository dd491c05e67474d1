export { hasOrder } from './evaluate-condition.js';
export * from './evaluate-policy.js';
export { globCovers } from './glob.js';
export * from './policy-rule.js';
export { holdsRole, type Role } from './role.js';
export { type RecordedVerdict, simulateVerdict } from './simulate-verdict.js';
