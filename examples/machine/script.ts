import type { Script, ScriptedReply } from '@countersign/agent-core';
import { lastAsked } from '../asked.js';

const DONE: ScriptedReply = { text: 'Done.' };
const cutCall = { tool: 'act', arguments: '{"n": 1' };

/** What the model says, reply by reply, for each ending that a provider's word decides. The input names the case. */
export const SCRIPTED_CASES: Readonly<Record<string, readonly ScriptedReply[]>> = {
  'a final text': [DONE],
  'a refusal': [{ refusal: 'I will not do that.' }],
  'a reply that was cut off': [{ text: 'I was about to', finish: 'max_tokens' }],
  'a reply that was cut off inside a call': [{ calls: [cutCall], finish: 'max_tokens' }],
  'a content filter': [{ text: 'Well,', finish: 'content_filter' }],
  'a content filter in the middle of a call': [{ calls: [cutCall], finish: 'content_filter' }],
  'a pause, and on': [{ text: 'One moment.', finish: 'pause' }, DONE],
  'a conversation that is too long': [{ failure: { code: 'context_overflow' } }],
  'a reply of nothing': [{ finish: 'stop' }],
  'calls that were announced and not made': [{ finish: 'tool_calls' }],
};

export const machineScript: Script = (request) => {
  const { question, replies } = lastAsked(request);
  const said = new Map(Object.entries(SCRIPTED_CASES)).get(question)?.[replies];
  if (said === undefined) throw new Error(`there is no case named ${question}`);
  return said;
};
