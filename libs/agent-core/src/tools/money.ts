import type { JsonText } from '../shared/brand.js';
import { numberText, plainDecimal } from '../shared/decimal.js';
import { readJson } from '../shared/json.js';
import { readPointer } from '../shared/pointer.js';
import type { ToolDefinition } from './tool-definition.js';

export interface Money {
  /** A plain decimal, with the digits of the arguments. */
  readonly amount: string;
  readonly currency: string;
}

/** The money that a call moves. Null where the tool names none, or the value there is not a decimal. */
export function moneyOf(definition: ToolDefinition, args: JsonText): Money | null {
  if (definition.money === null) return null;
  const { path, currency } = definition.money;
  const read = readPointer(readJson(args), path);
  if (!read.found) return null;
  const text = typeof read.value === 'string' ? read.value : numberText(read.value);
  const amount = text === null ? null : plainDecimal(text);
  return amount === null ? null : { amount, currency };
}
