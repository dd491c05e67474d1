export * from './argument-schema.js';
export * from './edit-arguments.js';
export * from './intent.js';
export * from './model-specification.js';
export * from './money.js';
export * from './normalize-arguments.js';
export * from './tool-definition.js';
export * from './translate-schema/index.js';
