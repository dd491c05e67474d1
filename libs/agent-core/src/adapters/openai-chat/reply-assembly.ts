import type { ModelChoice } from '../../model/model-choice.js';
import type { ModelEvent, ModelResponse, Usage } from '../../model/model-event.js';
import { asList, asObject, asText, type WireObject } from '../wire/wire-value.js';
import { CallFragments } from './call-fragments.js';
import { finishReason } from './finish.js';
import { RawFields } from './raw-fields.js';
import { readUsage } from './usage.js';

/** Whose reply it is. `server` tells servers of one provider apart (raw-fields.ts). */
export interface ReplySource {
  readonly choice: ModelChoice;
  readonly server: string;
}

export type Delta = Extract<ModelEvent, { type: 'text_delta' | 'call_delta' }>;

/**
 * The reducer of a reply: takes chunks of any shape, says what watchers may see, and gives the whole at the end.
 * It never throws; what it does not know it passes over.
 */
export class ReplyAssembly {
  usage: Usage | null = null;
  private responseId = '';
  private model = '';
  private text = '';
  private refusal = '';
  /** The word of the end as far as it has come; null before any. */
  private finishWord: string | null = null;
  private lastChunkSeen = false;
  private readonly calls = new CallFragments();
  private readonly raw = new RawFields();

  constructor(private readonly source: ReplySource) {}

  /**
   * What the provider says in the end. Counts that come before the reason of the end are running totals: of a reply that
   * broke off they are no word on what it cost, and the reservation is booked.
   */
  get finalUsage(): Usage | null {
    return this.finishWord === null ? null : this.usage;
  }

  get oversized(): boolean {
    return this.calls.oversized;
  }

  /** One chunk of a stream. */
  addChunk(chunk: unknown): readonly Delta[] {
    const body = asObject(chunk);
    if (body === null) return [];
    const choice = firstChoice(body);
    const deltas = this.addDelta(asObject(choice?.delta) ?? {}, (_, entry) => entry);
    // Some servers send an empty word with every chunk: in a stream that is no end yet.
    const word = asText(choice?.finish_reason);
    if (word !== '') this.finishWord = word;
    this.addEnvelope(body, choice);
    return deltas;
  }

  /** A whole reply, as one JSON body. Null where it has no message at all. */
  addWhole(reply: unknown): readonly Delta[] | null {
    const body = asObject(reply) ?? {};
    const choice = firstChoice(body);
    this.addEnvelope(body, choice);
    const message = asObject(choice?.message);
    if (message === null) return null;
    this.finishWord = asText(choice?.finish_reason);
    return this.addDelta(message, (position, entry) => ({ ...entry, index: position }));
  }

  /**
   * Whether a stream has said that it is over: a word for its end, and after it `[DONE]` (`doneSeen`) or the usage
   * that was asked for. A stream that stops elsewhere is cut, however whole it looks.
   */
  isComplete(doneSeen: boolean): boolean {
    return this.finishWord !== null && (doneSeen || this.lastChunkSeen);
  }

  /**
   * The reply as far as it has come. A call that was cut in the middle is kept as it came: the finish word is what says
   * that nothing of it may run, and people see what the model was about to do.
   */
  response(): ModelResponse {
    const finish = finishReason(this.finishWord ?? '', this.refusal !== '');
    const kept = this.calls.all();
    const { choice, server } = this.source;
    return {
      responseId: this.responseId || null,
      model: this.model || choice.model,
      text: this.text,
      refusal: this.refusal || null,
      calls: kept.map(({ call }) => call),
      finish,
      usage: this.usage,
      raw: this.raw.items(
        choice.provider,
        server,
        kept.map(({ position }) => position),
      ),
    };
  }

  private addEnvelope(body: WireObject, choice: WireObject | null): void {
    this.responseId ||= asText(body.id);
    this.model ||= asText(body.model);
    const usage = readUsage(body, choice);
    if (usage === null) return;
    this.usage = usage;
    this.lastChunkSeen = this.finishWord !== null;
  }

  private addDelta(
    delta: WireObject,
    locate: (position: number, entry: WireObject) => WireObject,
  ): readonly Delta[] {
    const deltas: Delta[] = [];
    const text = contentText(delta.content);
    if (text !== '') deltas.push({ type: 'text_delta', text });
    this.text += text;
    this.refusal += asText(delta.refusal);
    this.raw.addMessage(delta);
    for (const [position, entry] of asList(delta.tool_calls).entries()) {
      deltas.push(...this.addFragment(locate(position, asObject(entry) ?? {})));
    }
    const legacy = asObject(delta.function_call);
    if (legacy !== null) deltas.push(...this.addFragment({ index: 0, function: legacy }));
    return deltas;
  }

  private addFragment(entry: WireObject): readonly Delta[] {
    const outcome = this.calls.add(entry);
    if (outcome === null) return [];
    this.raw.addCall(outcome.position, entry);
    return outcome.named === null
      ? []
      : [{ type: 'call_delta', index: outcome.position, tool: outcome.named }];
  }
}

/** We never ask for more than one choice; should several come, the first counts. */
function firstChoice(body: WireObject): WireObject | null {
  const choices = asList(body.choices).map(asObject);
  return (
    choices.find((choice) => choice?.index === 0) ??
    choices.find((choice) => choice?.index === undefined) ??
    null
  );
}

/** The text of a message: a string, or (Mistral) a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map(asObject)
    .map((part) => (part?.type === 'text' ? asText(part.text) : ''))
    .join('');
}
