import type { ProposedCall } from '../../model/model-event.js';
import { LARGEST_ARGUMENTS } from '../wire/limits.js';
import { asObject, asText, isObjectText, type WireObject } from '../wire/wire-value.js';

interface OpenCall {
  readonly position: number;
  readonly index: number | null;
  id: string;
  tool: string;
  arguments: string;
  bytes: number;
}

export interface FragmentOutcome {
  readonly position: number;
  /** The tool's name where this fragment was the first to say it. */
  readonly named: string | null;
}

export interface PlacedCall {
  readonly position: number;
  readonly call: ProposedCall;
}

/**
 * Puts the pieces of parallel calls together. Servers disagree about what names a call: the index may be missing or
 * always 0, the id may come late, come with every piece, or be the same for two calls. Nothing is repaired here:
 * a piece that fits nowhere else continues the last call, whose arguments then fail validation.
 */
export class CallFragments {
  private readonly calls: OpenCall[] = [];
  private last: OpenCall | null = null;
  /** True once the arguments of a call grew beyond the cap; the reply cannot be used then. */
  oversized = false;

  /** Takes one entry of `tool_calls`; null where it says nothing at all. */
  add(fragment: WireObject): FragmentOutcome | null {
    const body = asObject(fragment.function) ?? {};
    const id = asText(fragment.id);
    const tool = asText(body.name);
    const text = asText(body.arguments);
    if (id === '' && tool === '' && text === '') return null;
    const index = typeof fragment.index === 'number' ? fragment.index : null;
    const call = this.find(index, id, tool, text) ?? this.open(index);
    const named = call.tool === '' && tool !== '' ? tool : null;
    call.id ||= id;
    call.tool ||= tool;
    call.arguments += text;
    call.bytes += Buffer.byteLength(text);
    this.oversized ||= call.bytes > LARGEST_ARGUMENTS;
    this.last = call;
    return { position: call.position, named };
  }

  /** Every call, in the order in which they began. */
  all(): readonly PlacedCall[] {
    return this.calls.map((call) => ({
      position: call.position,
      call: { providerCallId: call.id || null, tool: call.tool, arguments: call.arguments },
    }));
  }

  private open(index: number | null): OpenCall {
    const call = { position: this.calls.length, index, id: '', tool: '', arguments: '', bytes: 0 };
    this.calls.push(call);
    return call;
  }

  /** The call that a fragment continues, or null where it begins one. */
  private find(index: number | null, id: string, tool: string, text: string): OpenCall | null {
    const candidate = this.candidate(index, id, tool);
    if (candidate === null || tool === '' || candidate.tool === '') return candidate;
    if (candidate.tool !== tool) return null;
    // The name again: a server that repeats it with every piece, or the next call under the same index and id. One that
    // says nothing of its own is none: it would run once more, with no arguments.
    const isRepeated = text.trim() === '' && (id !== '' || index !== null);
    return isRepeated || !isObjectText(candidate.arguments) ? candidate : null;
  }

  private candidate(index: number | null, id: string, tool: string): OpenCall | null {
    const sameIndex = (index !== null && this.calls.findLast((call) => call.index === index)) || null;
    if (id === '') return sameIndex ?? (index === null || tool === '' ? this.last : null);
    if (sameIndex !== null && (sameIndex.id === id || sameIndex.id === '')) return sameIndex;
    const sameId = this.calls.findLast(
      (call) => call.id === id && (tool === '' || index === null || call.index === index),
    );
    return sameId ?? (index === null && this.last?.id === '' ? this.last : null);
  }
}
