import type { ModelChoice } from '../../../model/model-choice.js';
import type { ModelResponse, Usage } from '../../../model/model-event.js';
import { writeJson } from '../../../shared/canonical-json.js';
import { type JsonObject, type JsonValue, ownValue } from '../../../shared/json.js';
import { UnusableReply } from '../../wire/reply-error.js';
import { GoogleErrorInReply } from '../google-error.js';
import type { Delta, ReplyAssembly } from '../reply-assembly.js';
import { type UsageNames, usageBuckets } from '../usage-buckets.js';
import { asObject, countAt, listAt, objectAt, textAt } from '../wire-value.js';
import { finishReason, isBroken, isUnderWay } from './finish.js';
import { OpenSteps } from './open-steps.js';

/** The wire API that this adapter speaks, as it stands in a `RawItem`. */
export const API = 'interactions';

const USAGE_NAMES: UsageNames = {
  input: 'total_input_tokens',
  toolUse: 'total_tool_use_tokens',
  cached: 'total_cached_tokens',
  output: 'total_output_tokens',
  thoughts: 'total_thought_tokens',
  total: 'total_tokens',
};

/** Puts an interaction together, from the events of its stream or from a whole one. */
export class InteractionAssembly implements ReplyAssembly {
  private responseId = '';
  private model = '';
  private status = '';
  private reported: Usage | null = null;
  private readonly steps = new OpenSteps();

  constructor(
    private readonly choice: ModelChoice,
    /** From the names that Google was told to those of the tools. */
    private readonly toolName: (wireName: string) => string,
  ) {}

  /** Before its end a stream's counts are no measure of what it costs. */
  get usage(): Usage | null {
    return isUnderWay(this.status) ? null : this.reported;
  }

  add(event: JsonValue): readonly Delta[] {
    const body = asObject(event);
    if (body === null) return [];
    if ((ownValue(body, 'error') ?? null) !== null) throw new GoogleErrorInReply(event);
    const index = countAt(body, 'index') ?? 0;
    switch (textAt(body, 'event_type')) {
      case 'step.start':
        return this.named(this.steps.begin(index, objectAt(body, 'step') ?? {}, false));
      case 'step.delta':
        return this.steps.continue(index, objectAt(body, 'delta') ?? {});
      case 'step.stop':
        this.steps.end(index);
        return [];
      case 'error':
        throw new GoogleErrorInReply(event);
      case 'interaction.created':
      case 'interaction.completed':
        return this.addInteraction(objectAt(body, 'interaction') ?? {});
      case 'interaction.status_update':
        this.addStatus(body);
        return [];
      case '':
        return this.addInteraction(body);
      default:
        return [];
    }
  }

  response(): ModelResponse {
    if (isUnderWay(this.status)) throw new UnusableReply('the stream ended before the reply was complete');
    if (isBroken(this.status)) throw this.brokenBy();
    const calls = this.steps.calls();
    const finish = finishReason(this.status, calls.length > 0);
    if (!this.steps.areCallsWhole && finish.unified === 'tool_calls')
      throw new UnusableReply("the reply ended within a call's arguments");
    const steps = this.steps.raw();
    return {
      responseId: this.responseId || null,
      model: this.model || this.choice.model,
      text: this.steps.text,
      refusal: null,
      calls: calls.map((call) => ({ ...call, tool: this.toolName(call.tool) })),
      finish,
      usage: this.usage,
      raw:
        steps.length === 0 ? [] : [{ provider: this.choice.provider, api: API, json: writeJson({ steps }) }],
    };
  }

  private addInteraction(interaction: JsonObject): readonly Delta[] {
    this.responseId ||= textAt(interaction, 'id');
    this.model ||= textAt(interaction, 'model');
    this.addStatus(interaction);
    if (!this.steps.isEmpty) return [];
    const steps = listAt(interaction, 'steps').map((step) => asObject(step) ?? {});
    return this.named(steps.flatMap((step, index) => this.steps.begin(index, step, true)));
  }

  private addStatus(said: JsonObject): void {
    this.status = textAt(said, 'status') || this.status;
    this.reported = usageBuckets(objectAt(said, 'usage'), USAGE_NAMES) ?? this.reported;
  }

  private named(deltas: readonly Delta[]): readonly Delta[] {
    return deltas.map((delta) =>
      delta.type === 'call_delta' ? { ...delta, tool: this.toolName(delta.tool) } : delta,
    );
  }

  /** A step of the model may say what went wrong. */
  private brokenBy(): Error {
    const [error] = this.steps.raw().flatMap((step) => objectAt(step, 'error') ?? []);
    return error === undefined
      ? new UnusableReply(`the interaction is ${this.status}`)
      : new GoogleErrorInReply({ error });
  }
}
