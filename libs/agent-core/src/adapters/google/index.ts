export * from './generate-content/adapter.js';
export * from './interactions/adapter.js';
