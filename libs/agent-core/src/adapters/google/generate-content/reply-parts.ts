import type { ProposedCall } from '../../../model/model-event.js';
import { writeJson } from '../../../shared/canonical-json.js';
import { type JsonObject, type JsonValue, ownValue } from '../../../shared/json.js';
import { byteLength } from '../../../shared/text.js';
import { LARGEST_ARGUMENTS } from '../../wire/limits.js';
import { UnusableReply } from '../../wire/reply-error.js';
import type { Delta } from '../reply-assembly.js';
import { asObject, listAt, objectAt, textAt } from '../wire-value.js';
import { placePartial } from './partial-arguments.js';

/** A call whose arguments may still come. `part` is where it stands among the parts. */
interface OpenCall {
  readonly part: number;
  readonly name: string;
  readonly id: string;
  arguments: JsonValue;
  /** Whether it comes in pieces; such a part goes back put together, any other as it came. */
  readonly isPieced: boolean;
  isWhole: boolean;
}

/**
 * The parts of a model's content, put together from the pieces of a stream. Parts stay as they came, since Google wants
 * them back with their signatures where they stood; texts that follow each other without a signature are one.
 */
export class ReplyParts {
  text = '';
  private readonly parts: JsonObject[] = [];
  private readonly open: OpenCall[] = [];

  /** Takes one part. Throws UnusableReply where a piece of a call cannot be placed. */
  add(part: JsonObject): readonly Delta[] {
    const call = objectAt(part, 'functionCall');
    if (call !== null) return this.addCall(part, call);
    if (isEmpty(part)) return [];
    const text = ownValue(part, 'thought') === true ? '' : textAt(part, 'text');
    this.text += text;
    this.append(part);
    return text === '' ? [] : [{ type: 'text_delta', text }];
  }

  /** Every call, in the order in which they began. Throws UnusableReply where one is too large. */
  calls(): readonly ProposedCall[] {
    return this.open.map(({ id, name, arguments: args }) => {
      const text = writeJson(args);
      if (byteLength(text) > LARGEST_ARGUMENTS)
        throw new UnusableReply('the arguments of a call are larger than 1 MiB');
      return { providerCallId: id || null, tool: name, arguments: text };
    });
  }

  /** Whether the last piece of every call has come. */
  get areCallsWhole(): boolean {
    return this.open.every((call) => call.isWhole);
  }

  /** The parts as they go back; a call that came in pieces is one part. */
  raw(): JsonObject[] {
    const whole = [...this.parts];
    for (const { part, name, id, arguments: args, isPieced } of this.open) {
      if (!isPieced) continue;
      const { functionCall: _, ...beside } = whole[part] ?? {};
      const call = { ...(id !== '' && { id }), name, args };
      whole[part] = { functionCall: call, ...beside };
    }
    return whole;
  }

  private addCall(part: JsonObject, call: JsonObject): readonly Delta[] {
    const name = textAt(call, 'name');
    const args = ownValue(call, 'args');
    if (name === '' && args === undefined) {
      const last = this.open.at(-1);
      if (last?.isWhole === false) this.continueCall(last, call);
      else if (listAt(call, 'partialArgs').length > 0)
        throw new UnusableReply('a piece of arguments belongs to no call');
      return [];
    }
    const isPieced = ownValue(call, 'willContinue') !== undefined || 'partialArgs' in call;
    const id = textAt(call, 'id');
    const opened = { part: this.parts.length, name, id, arguments: args ?? {}, isPieced, isWhole: true };
    this.open.push(opened);
    this.parts.push(part);
    this.continueCall(opened, call);
    return [{ type: 'call_delta', index: this.open.length - 1, tool: name }];
  }

  private continueCall(open: OpenCall, call: JsonObject): void {
    for (const piece of listAt(call, 'partialArgs')) {
      const [args, known] = [asObject(open.arguments), asObject(piece)];
      if (args === null || known === null || !placePartial(args, known)) {
        throw new UnusableReply('a piece of a call has no place in its arguments');
      }
    }
    open.isWhole = ownValue(call, 'willContinue') !== true;
  }

  private append(part: JsonObject): void {
    const last = this.parts.at(-1);
    if (last === undefined || !isPlainText(last) || !isPlainText(part) || last.thought !== part.thought) {
      this.parts.push(part);
    } else {
      this.parts[this.parts.length - 1] = { ...last, text: textAt(last, 'text') + textAt(part, 'text') };
    }
  }
}

/** A part that says nothing. One with a signature alone looks so and is not. */
function isEmpty(part: JsonObject): boolean {
  const keys = Object.keys(part).filter((key) => key !== 'thought');
  return keys.every((key) => key === 'text' && part.text === '');
}

function isPlainText(part: JsonObject): boolean {
  return 'text' in part && Object.keys(part).every((key) => key === 'text' || key === 'thought');
}
