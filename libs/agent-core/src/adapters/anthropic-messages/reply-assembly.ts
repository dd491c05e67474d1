import type { ModelChoice } from '../../model/model-choice.js';
import type { ModelEvent, ModelResponse, ProposedCall, Usage } from '../../model/model-event.js';
import type { JsonText } from '../../shared/brand.js';
import { elementTexts, memberTexts } from '../../shared/json-slices.js';
import { UnusableReply } from '../wire/reply-error.js';
import { asObject, asText, type WireObject } from '../wire/wire-value.js';
import { ContentBlock } from './content-block.js';
import { finishReason } from './finish.js';
import { rawItems } from './replay.js';
import { mergeUsage, readUsage } from './usage.js';

/** Whose reply it is. `server` tells servers of one provider apart. */
export interface ReplySource {
  readonly choice: ModelChoice;
  readonly server: string;
}

export type Delta = Extract<ModelEvent, { type: 'text_delta' | 'call_delta' }>;

/**
 * The reducer of a reply: takes its events, says what watchers may see, and gives the whole at the end. Events of
 * unknown kinds are passed over; pieces that belong nowhere make the reply unusable, as nothing may be guessed.
 */
export class ReplyAssembly {
  isStopped = false;
  private message: WireObject = {};
  private usageSaid: WireObject = {};
  private stopReason = '';
  private refusal = '';
  private blocks: ContentBlock[] = [];
  /** By the index that the provider gives a block; some proxies give every block the same, one after the other. */
  private byIndex = new Map<unknown, ContentBlock>();

  constructor(private readonly source: ReplySource) {}

  get usage(): Usage | null {
    return readUsage(this.usageSaid);
  }

  /**
   * What the provider says in the end. Counts that come before the reason of the end are running totals: of a reply that
   * broke off they are no word on what it cost, and the reservation is booked.
   */
  get finalUsage(): Usage | null {
    return this.stopReason === '' ? null : this.usage;
  }

  /**
   * One event of a stream, with its text.
   * @throws UnusableReply where it does not fit what came before.
   */
  add(value: unknown, text: JsonText): readonly Delta[] {
    const event = asObject(value) ?? {};
    if (this.isStopped) return [];
    switch (event.type) {
      case 'message_start':
        this.start(asObject(event.message) ?? {});
        return [];
      case 'content_block_start':
        return this.startBlock(event.index, memberTexts(text).get('content_block'));
      case 'content_block_delta':
        return this.addDelta(event.index, asObject(event.delta) ?? {});
      case 'content_block_stop':
        this.blockAt(event.index).isOpen = false;
        return [];
      case 'message_delta':
        this.end(asObject(event.delta) ?? {}, event.usage);
        return [];
      case 'message_stop':
        this.isStopped = true;
        return [];
      default:
        return [];
    }
  }

  /**
   * A whole reply, as one JSON body.
   * @throws UnusableReply where it is no message.
   */
  addWhole(text: JsonText): readonly Delta[] {
    const message = asObject(JSON.parse(text)) ?? {};
    const content = memberTexts(text).get('content');
    if (!Array.isArray(message.content) || content === undefined) {
      throw new UnusableReply('the reply holds no message');
    }
    this.start(message);
    this.end(message, null);
    this.isStopped = true;
    return elementTexts(content).flatMap((block, index) => {
      const deltas = this.startBlock(index, block);
      this.blockAt(index).isOpen = false;
      return deltas;
    });
  }

  /**
   * The reply as it stands. A call that was cut at a limit is kept as it came: the finish word says that nothing of it
   * may run, and people see what the model was about to do.
   * @throws UnusableReply where a call was left open although the reply ended as if it were whole.
   */
  response(): ModelResponse {
    const finish = finishReason(this.stopReason);
    const mayRun = ['stop', 'tool_calls', 'pause'].includes(finish.unified);
    const calls = this.blocks.filter((block) => block.isCall);
    if (mayRun && calls.some((call) => call.isOpen)) throw new UnusableReply('a call was never finished');
    const { choice, server } = this.source;
    return {
      responseId: asText(this.message.id) || null,
      model: asText(this.message.model) || choice.model,
      text: this.blocks.map((block) => block.text).join(''),
      refusal: this.refusal || null,
      calls: calls.map(proposedCall),
      finish,
      usage: this.usage,
      raw: rawItems(this.blocks, choice.provider, server),
    };
  }

  /** A message that begins again (a proxy that tried twice) takes the place of what had come. */
  private start(message: WireObject): void {
    this.message = message;
    this.usageSaid = mergeUsage({}, message.usage);
    this.blocks = [];
    this.byIndex = new Map();
  }

  private startBlock(index: unknown, text: JsonText | undefined): readonly Delta[] {
    const value = text === undefined ? null : asObject(JSON.parse(text));
    if (text === undefined || value === null) throw new UnusableReply('a block begins without its content');
    if (this.byIndex.get(index)?.isOpen) throw new UnusableReply('a block begins within another');
    const block = new ContentBlock(text, value);
    const position = this.blocks.filter((each) => each.isCall).length;
    this.blocks.push(block);
    this.byIndex.set(index, block);
    if (block.isCall) return [{ type: 'call_delta', index: position, tool: block.tool }];
    return block.text === '' ? [] : [{ type: 'text_delta', text: block.text }];
  }

  private addDelta(index: unknown, delta: WireObject): readonly Delta[] {
    const block = this.blockAt(index);
    if (!block.isOpen) throw new UnusableReply('a piece came after the end of its block');
    const length = block.text.length;
    block.add(delta);
    const text = block.text.slice(length);
    return text === '' ? [] : [{ type: 'text_delta', text }];
  }

  private blockAt(index: unknown): ContentBlock {
    const block = this.byIndex.get(index);
    if (block === undefined) throw new UnusableReply('a piece belongs to no block');
    return block;
  }

  private end(message: WireObject, usage: unknown): void {
    this.stopReason = asText(message.stop_reason) || this.stopReason;
    this.refusal = asText(asObject(message.stop_details)?.explanation) || this.refusal;
    this.usageSaid = mergeUsage(this.usageSaid, usage);
  }
}

function proposedCall(block: ContentBlock): ProposedCall {
  return { providerCallId: block.callId, tool: block.tool, arguments: block.arguments };
}
