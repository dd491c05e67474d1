import type { JsonText } from '../../shared/brand.js';
import { byteLength } from '../../shared/text.js';
import { LARGEST_ARGUMENTS } from '../wire/limits.js';
import { UnusableReply } from '../wire/reply-error.js';
import { asText, type WireObject } from '../wire/wire-value.js';
import { isCall, type OutputItem, outputItem } from './output-item.js';

interface OpenItem {
  begun: OutputItem;
  done: OutputItem | null;
  text: string;
  arguments: string;
  argumentsBytes: number;
}

/**
 * The items of a response under way, told apart by their place in the output, or by their id where a server sends no
 * place. What counts is the whole item that comes with its end; the pieces before it are for those who watch, and for
 * a reply that is cut at a limit.
 */
export class OpenItems {
  private readonly items = new Map<string, OpenItem>();

  /** Begins an item; says where its call stands among the calls, or null where it is none or was begun before. */
  begin(event: WireObject, json: JsonText): { readonly index: number; readonly tool: string } | null {
    const begun = outputItem(json);
    const key = keyOf(event, begun.value);
    if (this.items.has(key)) return null;
    const index = [...this.items.values()].filter((item) => isCall(item.begun)).length;
    this.items.set(key, { begun, done: null, text: '', arguments: '', argumentsBytes: 0 });
    return isCall(begun) ? { index, tool: asText(begun.value.name) } : null;
  }

  end(event: WireObject, json: JsonText): void {
    const done = outputItem(json);
    const key = keyOf(event, done.value);
    const item = this.items.get(key);
    if (item === undefined) this.items.set(key, { begun: done, done, text: '', arguments: '', argumentsBytes: 0 });
    else item.done = done;
  }

  addText(event: WireObject): void {
    const item = this.items.get(keyOf(event, {}));
    if (item !== undefined) item.text += asText(event.delta);
  }

  /** @throws UnusableReply where the arguments grow too large. */
  addArguments(event: WireObject): void {
    const item = this.items.get(keyOf(event, {}));
    if (item === undefined) return;
    const piece = asText(event.delta);
    item.arguments += piece;
    item.argumentsBytes += byteLength(piece);
    if (item.argumentsBytes > LARGEST_ARGUMENTS) {
      throw new UnusableReply('the arguments of a call are larger than 1 MiB');
    }
  }

  /**
   * The items in their order, as far as each has come. Of a reply that was cut, calls and words without their end are
   * kept as they stand; of one that ends as if it were whole, none may be.
   * @throws UnusableReply where one is, or the other way round nothing can be read.
   */
  all(isCut: boolean): readonly OutputItem[] {
    const found = [...this.items.entries()].sort(([left], [right]) => placeOf(left) - placeOf(right));
    return found.flatMap(([, item]) => {
      if (item.done !== null) return item.done;
      if (!isCut) throw new UnusableReply('an item of the reply was never finished');
      return cutItem(item);
    });
  }
}

/** A call or a message that was cut, as an item that says so; nothing else means anything without its end. */
function cutItem({ begun, text, arguments: pieces }: OpenItem): readonly OutputItem[] {
  const { value } = begun;
  const [status, type] = ['incomplete', asText(value.type)];
  if (isCall(begun)) {
    const { call_id, name } = value;
    const argument = type === 'custom_tool_call' ? { input: pieces } : { arguments: pieces };
    return [outputItem(JSON.stringify({ type, status, call_id, name, ...argument }) as JsonText)];
  }
  if (type !== 'message' || text === '') return [];
  const content = [{ type: 'output_text', text, annotations: [] }];
  return [outputItem(JSON.stringify({ type, status, role: 'assistant', id: value.id, content }) as JsonText)];
}

function keyOf(event: WireObject, item: WireObject): string {
  if (typeof event.output_index === 'number') return String(event.output_index);
  return `id ${asText(event.item_id) || asText(item.id)}`;
}

/** Items without a place follow those that have one, in the order in which they began. */
function placeOf(key: string): number {
  return key.startsWith('id ') ? Number.MAX_SAFE_INTEGER : Number(key);
}
