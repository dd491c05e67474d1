export { type Abandonment, abandonRun } from './abandon-run.js';
export * from './ports.js';
export { type LoopEnd, runLoop } from './run-loop.js';
export { resultOfOutput } from './tool-events.js';
export { editedArguments, invocationOf } from './tool-invocation.js';
