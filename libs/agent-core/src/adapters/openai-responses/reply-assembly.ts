import type { ModelChoice } from '../../model/model-choice.js';
import type { ModelEvent, ModelResponse, Usage } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { elementTexts, memberTexts } from '../../shared/json-slices.js';
import { ErrorInReply, UnusableReply } from '../wire/reply-error.js';
import { asList, asObject, asText, type WireObject } from '../wire/wire-value.js';
import { finishReason } from './finish.js';
import { OpenItems } from './open-items.js';
import { isCall, isCutOff, messageText, type OutputItem, outputItem, proposedCall } from './output-item.js';
import { rawItems } from './replay.js';
import { readUsage } from './usage.js';

/** Whose reply it is. `server` tells servers of one provider apart. */
export interface ReplySource {
  readonly choice: ModelChoice;
  readonly server: string;
}

export type Delta = Extract<ModelEvent, { type: 'text_delta' | 'call_delta' }>;

/** The end of a response: its own object, and the items of its output, which some servers leave out here. */
interface Ending {
  readonly response: WireObject;
  readonly output: readonly OutputItem[];
}

/**
 * The reducer of a reply: takes its events, says what watchers may see, and gives the whole at the end. What it does
 * not know it passes over; what a later event says of an item takes the place of what an earlier one said.
 */
export class ReplyAssembly {
  usage: Usage | null = null;
  private head: WireObject = {};
  private items = new OpenItems();
  private ending: Ending | null = null;

  constructor(private readonly source: ReplySource) {}

  /** Whether the event has come that ends the response. */
  get isEnded(): boolean {
    return this.ending !== null;
  }

  /**
   * One event of a stream, with its text.
   * @throws UnusableReply, ErrorInReply where the response failed.
   */
  add(value: unknown, text: JsonText): readonly Delta[] {
    const event = asObject(value) ?? {};
    switch (event.type) {
      case 'response.created':
        this.begin(asObject(event.response) ?? {});
        return [];
      case 'response.output_item.added':
        return this.beginItem(event, memberTexts(text).get('item'));
      case 'response.output_item.done':
        this.endItem(event, memberTexts(text).get('item'));
        return [];
      case 'response.output_text.delta':
        this.items.addText(event);
        return asText(event.delta) === '' ? [] : [{ type: 'text_delta', text: asText(event.delta) }];
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        this.items.addArguments(event);
        return [];
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.end(asObject(event.response), memberTexts(text).get('response'));
        return [];
      default:
        return [];
    }
  }

  /**
   * A whole reply, as one JSON body.
   * @throws ErrorInReply where the response failed.
   */
  addWhole(response: WireObject, text: JsonText): readonly Delta[] {
    this.end(response, text);
    const output = this.ending?.output ?? [];
    const calls = output.filter(isCall).map((item) => asText(item.value.name));
    const words = output.map((item) => messageText(item, 'output_text')).join('');
    return [
      ...(words === '' ? [] : [{ type: 'text_delta' as const, text: words }]),
      ...calls.map((tool, index) => ({ type: 'call_delta' as const, index, tool })),
    ];
  }

  /**
   * The reply. A call that was cut at a limit is kept as it came: the finish word says that nothing of it may run, and
   * people see what the model was about to do.
   * @throws UnusableReply where the reply did not end, or ended as if it were whole with an item that is not.
   */
  response(): ModelResponse {
    if (this.ending === null) throw new UnusableReply('the stream ended before the reply was complete');
    const { response, output } = this.ending;
    const isWhole = response.status === 'completed';
    const items = output.length > 0 ? output : this.items.all(!isWhole);
    const calls = items.filter(isCall);
    if (isWhole && calls.some(isCutOff)) throw new UnusableReply('a call was never finished');
    const refusal = items.map((item) => messageText(item, 'refusal')).join('');
    const { choice, server } = this.source;
    return {
      responseId: asText(response.id) || asText(this.head.id) || null,
      model: asText(response.model) || asText(this.head.model) || choice.model,
      text: items.map((item) => messageText(item, 'output_text')).join(''),
      refusal: refusal || null,
      calls: calls.map(proposedCall),
      finish: finishReason(response, { refused: refusal !== '', calls: calls.length > 0 }),
      usage: this.usage,
      raw: rawItems(items, choice.provider, server),
    };
  }

  /** A response that begins again takes the place of what had come. */
  private begin(response: WireObject): void {
    if (response.id === this.head.id) return;
    this.head = response;
    this.items = new OpenItems();
  }

  private beginItem(event: WireObject, json: JsonText | undefined): readonly Delta[] {
    const call = json === undefined ? null : this.items.begin(event, json);
    return call === null ? [] : [{ type: 'call_delta', ...call }];
  }

  private endItem(event: WireObject, json: JsonText | undefined): void {
    if (json !== undefined) this.items.end(event, json);
  }

  private end(response: WireObject | null, json: JsonText | undefined): void {
    if (response === null || json === undefined)
      throw new UnusableReply('the end of the reply holds no response');
    this.usage = readUsage(response.usage);
    if (response.status === 'failed') throw new ErrorInReply(asObject(response.error) ?? {});
    const output = asList(response.output).length === 0 ? '[]' : memberTexts(json).get('output');
    this.ending = { response, output: elementTexts((output ?? '[]') as JsonText).map(outputItem) };
  }
}
