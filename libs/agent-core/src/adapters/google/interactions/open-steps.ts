import type { ProposedCall } from '../../../model/model-event.js';
import { writeJson } from '../../../shared/canonical-json.js';
import { type JsonObject, type JsonValue, ownValue } from '../../../shared/json.js';
import { byteLength } from '../../../shared/text.js';
import { argumentsValue } from '../../wire/arguments-value.js';
import { LARGEST_ARGUMENTS } from '../../wire/limits.js';
import { UnusableReply } from '../../wire/reply-error.js';
import type { Delta } from '../reply-assembly.js';
import { asObject, listAt, objectAt, textAt } from '../wire-value.js';

interface OpenStep {
  step: JsonObject;
  /** The arguments' text as it came in pieces; empty where they stand in the step. */
  argumentsText: string;
  argumentsBytes: number;
  isWhole: boolean;
}

/** The steps of an interaction, put together from the events of a stream by their index. */
export class OpenSteps {
  private readonly steps = new Map<number, OpenStep>();

  get isEmpty(): boolean {
    return this.steps.size === 0;
  }

  /** Whether every call has come to its end. */
  get areCallsWhole(): boolean {
    return this.ofType('function_call').every(({ isWhole }) => isWhole);
  }

  /** A step that begins, or a whole one. Throws UnusableReply where another one has its place. */
  begin(index: number, step: JsonObject, isWhole: boolean): readonly Delta[] {
    if (this.steps.has(index)) throw new UnusableReply('two steps of the reply have one place');
    this.steps.set(index, { step, argumentsText: '', argumentsBytes: 0, isWhole });
    const said = textOf(step);
    const deltas: Delta[] = said === '' ? [] : [{ type: 'text_delta', text: said }];
    if (textAt(step, 'type') === 'function_call') {
      const position = this.ofType('function_call').length - 1;
      deltas.push({ type: 'call_delta', index: position, tool: textAt(step, 'name') });
    }
    return deltas;
  }

  /**
   * A piece of a step. One of a step that never began, or of a kind that we do not know, is passed over, save for a
   * call's arguments. Throws UnusableReply where those belong to no step under way, or grow too large.
   */
  continue(index: number, delta: JsonObject): readonly Delta[] {
    const open = this.steps.get(index);
    const type = textAt(delta, 'type');
    if (type === 'arguments_delta' && open?.isWhole !== false)
      throw new UnusableReply('a piece of a call belongs to no step');
    if (open === undefined) return [];
    switch (type) {
      case 'text': {
        const text = textAt(delta, 'text');
        open.step = { ...open.step, content: withText(listAt(open.step, 'content'), text) };
        return text === '' ? [] : [{ type: 'text_delta', text }];
      }
      case 'arguments_delta':
        addArguments(open, textAt(delta, 'arguments'));
        return [];
      case 'thought_signature': {
        const signature = textAt(open.step, 'signature') + textAt(delta, 'signature');
        open.step = { ...open.step, signature };
        return [];
      }
      case 'thought_summary': {
        const summary = withText(listAt(open.step, 'summary'), textAt(objectAt(delta, 'content'), 'text'));
        open.step = { ...open.step, summary };
        return [];
      }
      default:
        return [];
    }
  }

  end(index: number): void {
    const open = this.steps.get(index);
    if (open !== undefined) open.isWhole = true;
  }

  get text(): string {
    return this.all()
      .map(({ step }) => textOf(step))
      .join('');
  }

  /** Every call, in the order of the steps. Throws UnusableReply where one is too large. */
  calls(): readonly ProposedCall[] {
    return this.ofType('function_call').map((open) => {
      const text = open.argumentsText || writeJson(ownValue(open.step, 'arguments') ?? {});
      if (byteLength(text) > LARGEST_ARGUMENTS) throw new UnusableReply(TOO_LARGE);
      return {
        providerCallId: textAt(open.step, 'id') || null,
        tool: textAt(open.step, 'name'),
        arguments: text,
      };
    });
  }

  /** The steps as they go back. One that says nothing is left out; one with a signature alone looks so and is not. */
  raw(): JsonObject[] {
    return this.all()
      .map(wholeStep)
      .filter((step) => !isEmpty(step));
  }

  private all(): readonly OpenStep[] {
    return [...this.steps].sort(([left], [right]) => left - right).map(([, open]) => open);
  }

  private ofType(type: string): readonly OpenStep[] {
    return this.all().filter(({ step }) => textAt(step, 'type') === type);
  }
}

/** Each piece is counted as it comes: to count the whole with each would cost the square of its length. */
function addArguments(open: OpenStep, piece: string): void {
  open.argumentsText += piece;
  open.argumentsBytes += byteLength(piece);
  if (open.argumentsBytes > LARGEST_ARGUMENTS) throw new UnusableReply(TOO_LARGE);
}

const TOO_LARGE = 'the arguments of a call are larger than 1 MiB';

function wholeStep({ step, argumentsText }: OpenStep): JsonObject {
  if (argumentsText === '') return step;
  return { ...step, arguments: argumentsValue(argumentsText) };
}

function isEmpty(step: JsonObject): boolean {
  switch (textAt(step, 'type')) {
    case 'thought':
      return textAt(step, 'signature') === '' && listAt(step, 'summary').length === 0;
    case 'model_output':
      return listAt(step, 'content').length === 0 && !('error' in step);
    default:
      return false;
  }
}

/** The content with a text behind it: within its last text, else as a new one. */
function withText(content: readonly JsonValue[], text: string): JsonValue[] {
  if (text === '') return [...content];
  const last = asObject(content.at(-1));
  if (textAt(last, 'type') !== 'text') return [...content, { type: 'text', text }];
  return [...content.slice(0, -1), { ...last, text: textAt(last, 'text') + text }];
}

/** What a step of the model says. */
function textOf(step: JsonObject): string {
  if (textAt(step, 'type') !== 'model_output') return '';
  const texts = listAt(step, 'content').map(asObject);
  return texts.map((content) => (textAt(content, 'type') === 'text' ? textAt(content, 'text') : '')).join('');
}
