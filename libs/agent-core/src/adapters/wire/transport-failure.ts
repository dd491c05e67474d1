import type { ModelFailureCode } from '../../model/model-event.js';
import { asList, asObject, asText, type WireObject } from './wire-value.js';

export interface TransportFailure {
  readonly code: ModelFailureCode;
  readonly neverSent: boolean;
  /** The system's own word, for example `ECONNREFUSED`, or the guard's sentence; empty where there is none. */
  readonly word: string;
}

/** Errors before the first byte of a request: names, connections, TLS (Node, undici). */
const NEVER_SENT =
  /^(ENOTFOUND|EAI_\w+|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EPROTO|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/;
const TIMED_OUT = /TIMEOUT|ETIMEDOUT/;

/**
 * What `fetch`, or the reading of a body, threw, looked up along its causes. An egress guard says itself whether
 * anything left (`neverSent`); what it `refused` it will refuse again. A provider that cannot be reached counts as
 * overloaded.
 */
export function transportFailure(error: unknown): TransportFailure {
  const links = causes(error);
  const words = links.flatMap((link) => [asText(link.code), asText(link.kind)]).filter((word) => word !== '');
  const refused = links.find(({ code, kind }) => code === 'refused' || kind === 'refused');
  if (refused !== undefined) {
    return { code: 'bad_request', neverSent: true, word: asText(refused.message) || 'refused' };
  }
  // The ports that fetch refuses to call at all (Fetch standard, 2.9) come without a code.
  if (links.some((link) => link.message === 'bad port')) {
    return { code: 'bad_request', neverSent: true, word: 'bad port' };
  }
  const unsent = words.find((word) => NEVER_SENT.test(word));
  const timedOut = words.find((word) => TIMED_OUT.test(word.toUpperCase()));
  const neverSent = unsent !== undefined || links.some((link) => link.neverSent === true);
  const otherwise = neverSent ? 'overloaded' : 'unreadable';
  return {
    code: timedOut === undefined ? otherwise : 'timeout',
    neverSent,
    word: unsent ?? timedOut ?? words[0] ?? '',
  };
}

/** The chain of causes, outermost first; a connection that was tried at several addresses has several. */
function causes(error: unknown): readonly WireObject[] {
  const links: WireObject[] = [];
  let link = asObject(error);
  for (let depth = 0; link !== null && depth < 8; depth += 1) {
    links.push(link, ...asList(link.errors).map((each) => asObject(each) ?? {}));
    link = asObject(link.cause);
  }
  return links;
}
