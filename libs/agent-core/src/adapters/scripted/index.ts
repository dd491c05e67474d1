export type { Script, ScriptedCall, ScriptedReply } from './script.js';
export { createScriptedAdapter, type ScriptedAdapter } from './scripted-adapter.js';
