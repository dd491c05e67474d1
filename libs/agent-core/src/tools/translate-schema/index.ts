export * from './dialect.js';
export * from './told-schema.js';
