import type { JsonText } from '../../shared/brand.js';
import { memberTexts } from '../../shared/json-slices.js';
import { byteLength } from '../../shared/text.js';
import { LARGEST_ARGUMENTS } from '../wire/limits.js';
import { UnusableReply } from '../wire/reply-error.js';
import { asText, type WireObject } from '../wire/wire-value.js';

/**
 * One block of a reply: as it began, and what the pieces after it added. What is no text and no call stays as raw text
 * and goes back byte for byte (invariant I9).
 */
export class ContentBlock {
  readonly type: string;
  /** The text of a `text` block. */
  text: string;
  isOpen = true;
  private readonly members: ReadonlyMap<string, JsonText>;
  private thinking = '';
  private signature = '';
  private input = '';
  private inputBytes = 0;

  /** `start` is the block's own JSON object; in a whole reply it is all there is. */
  constructor(
    private readonly start: JsonText,
    private readonly value: WireObject,
  ) {
    this.type = asText(value.type);
    this.text = this.type === 'text' ? asText(value.text) : '';
    this.members = memberTexts(start);
  }

  get isCall(): boolean {
    return this.type === 'tool_use';
  }

  get callId(): string | null {
    return asText(this.value.id) || null;
  }

  get tool(): string {
    return asText(this.value.name);
  }

  /** The arguments as the model wrote them: in pieces, or (whole replies, some proxies) with the block itself. */
  get arguments(): string {
    const whole = this.members.get('input') ?? '';
    return this.input === '' && whole !== '{}' && whole !== 'null' ? whole : this.input;
  }

  /** Takes a piece; kinds that are not known are passed over. */
  add(delta: WireObject): void {
    switch (delta.type) {
      case 'text_delta':
        this.text += asText(delta.text);
        break;
      case 'thinking_delta':
        this.thinking += asText(delta.thinking);
        break;
      case 'signature_delta':
        this.signature = asText(delta.signature);
        break;
      case 'input_json_delta':
        this.addInput(asText(delta.partial_json));
    }
  }

  /** The block as it goes back: exactly as it came, where no piece was added to it. */
  rawText(): JsonText {
    const added = new Map<string, string>();
    const textBefore = (name: string) => asText(this.value[name]);
    if (this.thinking !== '') added.set('thinking', JSON.stringify(textBefore('thinking') + this.thinking));
    if (this.signature !== '') added.set('signature', JSON.stringify(this.signature));
    if (this.input !== '') added.set('input', this.input);
    if (added.size === 0) return this.start;
    const members = [...new Map([...this.members, ...added])];
    return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}` as JsonText;
  }

  private addInput(piece: string): void {
    this.input += piece;
    this.inputBytes += byteLength(piece);
    if (this.inputBytes > LARGEST_ARGUMENTS) {
      throw new UnusableReply('the arguments of a call are larger than 1 MiB');
    }
  }
}
