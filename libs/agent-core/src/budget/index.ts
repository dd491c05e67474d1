export * from './budget-period.js';
export * from './price.js';
