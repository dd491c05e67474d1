export { call, reply, tool } from './loop-fixtures.js';
export { LoopWorld } from './loop-world.js';
export { publishedSchema } from './openapi-schema.js';
export * from './recorded-server.js';
