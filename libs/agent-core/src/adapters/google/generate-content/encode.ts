import type { ModelRequest } from '../../../model/conversation.js';
import type { ModelChoice } from '../../../model/model-choice.js';
import { wellFormed } from '../../../shared/text.js';
import { toldSchema } from '../../../tools/translate-schema/index.js';
import type { FunctionNames } from '../function-names.js';
import { contentTexts } from './contents.js';

/**
 * The JSON body of models.generateContent (v1beta). It is written as text, so that an old turn costs no second
 * encoding, numbers keep their digits, and equal requests have equal bytes (prompt caches, digests).
 */
export function encodeGenerateContent(request: ModelRequest, names: FunctionNames): string {
  const { instructions } = request;
  const fields = [
    `"contents":[${contentTexts(request.conversation, names).join(',')}]`,
    ...(instructions === ''
      ? []
      : [field('systemInstruction', { parts: [{ text: wellFormed(instructions) }] })]),
    ...toolFields(request, names),
    field('generationConfig', generationConfig(request)),
  ];
  return `{${fields.join(',')}}`;
}

/** Where the model is called, below the API's version. */
export function modelPath(model: string): string {
  const name = /^(models|tunedModels)\//.test(model) ? model : `models/${model}`;
  return name.split('/').map(encodeURIComponent).join('/');
}

function toolFields({ tools, toolChoice }: ModelRequest, names: FunctionNames): readonly string[] {
  if (tools.length === 0) return [];
  const declarations = tools.map(({ name, description, parameters }) => {
    const told = `${field('name', names.toWire(name))},${field('description', wellFormed(description))}`;
    return `{${told},"parametersJsonSchema":${toldSchema(parameters, 'google').parameters}}`;
  });
  const declared = `"tools":[{"functionDeclarations":[${declarations.join(',')}]}]`;
  if (toolChoice === 'auto') return [declared];
  const allowed = toolChoice === 'required' ? {} : { allowedFunctionNames: [names.toWire(toolChoice.tool)] };
  return [declared, field('toolConfig', { functionCallingConfig: { mode: 'ANY', ...allowed } })];
}

function generationConfig({ choice, maxOutputTokens }: ModelRequest): unknown {
  const { temperature, reasoningEffort } = choice;
  return {
    maxOutputTokens,
    ...(temperature !== undefined && { temperature }),
    ...(reasoningEffort !== undefined && { thinkingConfig: thinkingConfig(choice, reasoningEffort) }),
  };
}

/** Efforts as tokens for models that take no level, as Google's own OpenAI-compatible API translates them. */
const BUDGETS: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['minimal', 1024],
  ['low', 1024],
  ['medium', 8192],
  ['high', 24_576],
]);

/** Gemini 2.5 takes a budget of tokens, later models a level; a number is a budget for either. */
function thinkingConfig({ model }: ModelChoice, effort: string): unknown {
  if (/^-?\d+$/.test(effort)) return { thinkingBudget: Number(effort) };
  const budget = /\bgemini-2/.test(model) ? BUDGETS.get(effort.toLowerCase()) : undefined;
  return budget === undefined ? { thinkingLevel: effort.toUpperCase() } : { thinkingBudget: budget };
}

function field(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
