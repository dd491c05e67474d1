import type { ModelChoice } from '../../../model/model-choice.js';
import type { ModelResponse, Usage } from '../../../model/model-event.js';
import { writeJson } from '../../../shared/canonical-json.js';
import { type JsonObject, type JsonValue, ownValue } from '../../../shared/json.js';
import { UnusableReply } from '../../wire/reply-error.js';
import { GoogleErrorInReply } from '../google-error.js';
import type { Delta, ReplyAssembly } from '../reply-assembly.js';
import { usageBuckets } from '../usage-buckets.js';
import { asObject, countAt, listAt, objectAt, textAt } from '../wire-value.js';
import { finishReason, isSlip } from './finish.js';
import { ReplyParts } from './reply-parts.js';
import { NO_USAGE, USAGE_NAMES } from './usage.js';

/** The wire API that this adapter speaks, as it stands in a `RawItem`. */
export const API = 'generateContent';

/** Puts a reply of generateContent together; an event of its stream has the shape of a whole reply. */
export class GenerateContentAssembly implements ReplyAssembly {
  private responseId = '';
  private model = '';
  private finishWord = '';
  private finishMessage = '';
  private blockWord = '';
  private reported: Usage | null = null;
  private readonly parts = new ReplyParts();

  constructor(
    private readonly choice: ModelChoice,
    /** From the names that Google was told to those of the tools. */
    private readonly toolName: (wireName: string) => string,
  ) {}

  /** Counts within a stream go up and down: before its end they are no measure of what it costs. */
  get usage(): Usage | null {
    if (this.blockWord !== '') return this.reported ?? NO_USAGE;
    return this.finishWord === '' ? null : this.reported;
  }

  add(event: JsonValue): readonly Delta[] {
    const body = asObject(event);
    if (body === null) return [];
    if ((ownValue(body, 'error') ?? null) !== null) throw new GoogleErrorInReply(event);
    this.responseId ||= textAt(body, 'responseId');
    this.model ||= textAt(body, 'modelVersion');
    this.reported = usageBuckets(objectAt(body, 'usageMetadata'), USAGE_NAMES) ?? this.reported;
    const feedback = objectAt(body, 'promptFeedback');
    this.blockWord ||= textAt(feedback, 'blockReason');
    const candidate = firstCandidate(body);
    this.finishMessage ||= textAt(candidate, 'finishMessage') || textAt(feedback, 'blockReasonMessage');
    const parts = listAt(objectAt(candidate, 'content'), 'parts');
    const deltas = parts.flatMap((part) => this.addPart(asObject(part)));
    this.finishWord = textAt(candidate, 'finishReason') || this.finishWord;
    return deltas;
  }

  response(): ModelResponse {
    const { finishWord, blockWord } = this;
    if (finishWord === '' && blockWord === '')
      throw new UnusableReply('the stream ended before the reply was complete');
    if (isSlip(finishWord)) throw new UnusableReply(`${finishWord}: ${this.finishMessage}`);
    const calls = this.parts.calls();
    const finish =
      finishWord === ''
        ? ({ unified: 'content_filter', raw: blockWord } as const)
        : finishReason(finishWord, calls.length > 0);
    if (!this.parts.areCallsWhole && finish.unified === 'tool_calls')
      throw new UnusableReply("the reply ended within a call's arguments");
    const parts = this.parts.raw();
    return {
      responseId: this.responseId || null,
      model: this.model || this.choice.model,
      text: this.parts.text,
      refusal: finish.unified === 'content_filter' ? this.finishMessage || null : null,
      calls: calls.map((call) => ({ ...call, tool: this.toolName(call.tool) })),
      finish,
      usage: this.usage,
      raw:
        parts.length === 0 ? [] : [{ provider: this.choice.provider, api: API, json: writeJson({ parts }) }],
    };
  }

  private addPart(part: JsonObject | null): readonly Delta[] {
    if (part === null) return [];
    return this.parts
      .add(part)
      .map((delta) => (delta.type === 'call_delta' ? { ...delta, tool: this.toolName(delta.tool) } : delta));
  }
}

/** We never ask for more than one candidate; should several come, the first counts. */
function firstCandidate(body: JsonObject): JsonObject | null {
  const candidates = listAt(body, 'candidates').map(asObject);
  return candidates.find((candidate) => (countAt(candidate, 'index') ?? 0) === 0) ?? null;
}
