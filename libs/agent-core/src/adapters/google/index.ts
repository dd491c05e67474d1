export * from './generate-content/adapter.js';
