import type { JsonPointer, JsonText } from '../shared/brand.js';

/** What a repeat of the call would do: nothing, nothing with the same key, or a second effect. */
export type EffectClass = 'read' | 'idempotent' | 'once';

export type ToolExecutor =
  | { readonly type: 'http'; readonly url: string }
  | { readonly type: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly type: 'client' }
  | { readonly type: 'builtin'; readonly handler: string };

/** One immutable version of a tool, with every default filled in. Secrets (headers, signing secret) are not in here. */
export interface ToolDefinition {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  /** JSON Schema, draft 2020-12, of an object, as registered (injected arguments included). */
  readonly parameters: JsonText;
  readonly effect: EffectClass;
  readonly executor: ToolExecutor;
  /** Pointers to the values that name the business intent; null: all arguments. */
  readonly intent: readonly JsonPointer[] | null;
  readonly intentScope: 'operation' | 'subject' | 'tenant';
  /** Argument name -> pointer into the subject: hidden from the model, always overwritten. */
  readonly inject: Readonly<Record<string, JsonPointer>>;
  /** Argument name -> pointer into the subject that it must equal. */
  readonly constrain: Readonly<Record<string, JsonPointer>>;
  /** What a reviewer may change; null: all but intent, inject and constrain. */
  readonly editable: readonly JsonPointer[] | null;
  /** True: an equal call runs anew instead of being answered from the record. */
  readonly fresh: boolean;
  readonly timeoutMs: number;
  /** Repeats after the first attempt; 0 for `once`. */
  readonly retries: number;
  readonly resultMaxBytes: number;
  readonly check: { readonly url: string } | null;
  readonly money: { readonly path: JsonPointer; readonly currency: string } | null;
  readonly reconcile: { readonly url: string } | null;
  readonly onUnknown: 'ask' | 'tell';
}
