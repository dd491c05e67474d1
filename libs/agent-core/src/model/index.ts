export * from './check-history.js';
export * from './conversation.js';
export * from './model.js';
export * from './model-choice.js';
export * from './model-event.js';
export * from './retry-after.js';
export * from './retryable.js';
