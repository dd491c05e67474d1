import type { JsonText } from '../../shared/brand.js';
import { byteLength } from '../../shared/text.js';
import { LARGEST_ARGUMENTS } from '../wire/limits.js';
import { UnusableReply } from '../wire/reply-error.js';
import { asText, type WireObject } from '../wire/wire-value.js';
import { isCall, type OutputItem, outputItem } from './output-item.js';

interface OpenItem {
  readonly place: string;
  readonly begun: OutputItem;
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
  private readonly items: OpenItem[] = [];
  /** By the place that is said for an item; some servers give all the same, one after the other. */
  private readonly byPlace = new Map<string, OpenItem>();
  /** Places of which only pieces of a call have come. */
  private readonly unknown = new Set<string>();
  /** Whether two items were under way at one place: nothing says which of them a piece belongs to. */
  private isTangled = false;

  /** Begins an item; says where its call stands among the calls, or null where it is none or was begun before. */
  begin(event: WireObject, json: JsonText): { readonly index: number; readonly tool: string } | null {
    const begun = outputItem(json);
    const place = placeOf(event, begun.value);
    const known = this.byPlace.get(place);
    if (known !== undefined && isSame(known, begun)) return null;
    if (known?.done === null) this.isTangled = true;
    const index = this.items.filter((item) => isCall(item.begun)).length;
    this.open(place, begun);
    return isCall(begun) ? { index, tool: asText(begun.value.name) } : null;
  }

  end(event: WireObject, json: JsonText): void {
    const done = outputItem(json);
    const place = placeOf(event, done.value);
    const known = this.byPlace.get(place);
    const isOfKnown = known !== undefined && (known.done === null || isSame(known, done));
    const item = isOfKnown ? known : this.open(place, done);
    item.done = done;
    this.unknown.delete(place);
  }

  addText(event: WireObject): void {
    const item = this.byPlace.get(placeOf(event, {}));
    if (item !== undefined) item.text += asText(event.delta);
  }

  /** @throws UnusableReply where the arguments grow too large. */
  addArguments(event: WireObject): void {
    const place = placeOf(event, {});
    const item = this.byPlace.get(place);
    if (item === undefined) {
      this.unknown.add(place);
      return;
    }
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
    if (!isCut && (this.isTangled || this.unknown.size > 0)) {
      throw new UnusableReply('a piece of the reply belongs to no item');
    }
    const found = [...this.items].sort((left, right) => rankOf(left.place) - rankOf(right.place));
    return found.flatMap((item) => {
      if (item.done !== null) return item.done;
      if (!isCut) throw new UnusableReply('an item of the reply was never finished');
      return cutItem(item);
    });
  }

  private open(place: string, begun: OutputItem): OpenItem {
    const item: OpenItem = { place, begun, done: null, text: '', arguments: '', argumentsBytes: 0 };
    this.items.push(item);
    this.byPlace.set(place, item);
    return item;
  }
}

/** Whether an item is told once more: it has the same id, or has none and did not end yet. */
function isSame({ begun, done }: OpenItem, told: OutputItem): boolean {
  const id = asText(told.value.id);
  return id === '' ? done === null : id === asText(begun.value.id) || id === asText(done?.value.id);
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

function placeOf(event: WireObject, item: WireObject): string {
  if (typeof event.output_index === 'number') return String(event.output_index);
  return `id ${asText(event.item_id) || asText(item.id)}`;
}

/** Items without a place follow those that have one, in the order in which they began. */
function rankOf(place: string): number {
  return place.startsWith('id ') ? Number.MAX_SAFE_INTEGER : Number(place);
}
