export { call, reply, tool } from './loop-fixtures.js';
export { LoopWorld } from './loop-world.js';
export * from './recorded-server.js';
