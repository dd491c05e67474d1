import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * From where a request came, as far as it is worth limiting: an address, of IPv6 the network of 64 bits that one
 * subscriber gets. A proxy on this machine (our dashboard) is asked whom it speaks for; what anybody else says of
 * X-Forwarded-For is not believed. Even the proxy's word is only what its own caller claimed, where that one set it: no
 * limit may rest on the address alone.
 */
export function addressOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
  const peer = socket.remoteAddress ?? '';
  if (!ipaddr.isValid(peer) || ipaddr.process(peer).range() !== 'loopback') return network(peer);
  const forwarded = headers['x-forwarded-for'];
  const last = typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined;
  return network(last !== undefined && ipaddr.isValid(last) ? last : peer);
}

function network(text: string): string {
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}
