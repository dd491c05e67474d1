import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressRules, isSameAddress, refusalOf } from './address-rules.js';
import type { NetworkFailure } from './classify.js';

/** A request that the guard refused, or that broke. `neverSent`: not a byte of the request left. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  constructor(
    readonly kind: NetworkFailure,
    readonly neverSent: boolean,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Numeric addresses of a name, in the order in which to try them. Rejects where there is none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** The system's resolver (files, DNS), in its own order. */
export const lookupBySystem: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map((entry) => entry.address);

/** For one address; a name with several addresses may take longer. */
const CONNECT_TIMEOUT_MS = 5_000;

type Connector = ReturnType<typeof buildConnector>;
type Target = Parameters<Connector>[0];
type Socket = NonNullable<Parameters<Parameters<Connector>[1]>[1]>;

/**
 * A connector for undici that looks the name up itself, judges each address, and connects to the very address that it
 * judged: no second look-up happens, so an answer that changes meanwhile changes nothing. The name stays in Host and in
 * TLS. Every error of it is an EgressError with `neverSent`.
 */
export function guardedConnector(rules: AddressRules, lookup: Lookup): Connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  return (target, callback) => {
    open(target, rules, lookup, connect).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(asEgressError(error), null),
    );
  };
}

async function open(
  target: Target,
  rules: AddressRules,
  lookup: Lookup,
  connect: Connector,
): Promise<Socket> {
  const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
  const addresses = await resolve(target.hostname, lookup);
  const own = await ownAddressesAt(port, rules, lookup);
  const judged = addresses.map((address) => ({
    address,
    refusal: own.some((each) => isSameAddress(each, address))
      ? 'it is a service of this product'
      : refusalOf(address, port, rules),
  }));
  const allowed = judged.filter(({ refusal }) => refusal === null);
  const [first] = judged;
  if (allowed.length === 0 && first !== undefined) {
    throw new EgressError('refused', true, `Calls to this host are not allowed: ${first.refusal}.`);
  }
  let last: unknown = new EgressError('dns', true, 'The host has no address.');
  for (const { address } of allowed) {
    try {
      return await connectTo(address, target, connect);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

/** Where our own services at this port are right now. */
async function ownAddressesAt(port: number, rules: AddressRules, lookup: Lookup): Promise<readonly string[]> {
  const services = rules.ownServices.filter((service) => service.port === port);
  const found = await Promise.all(services.map(({ host }) => resolve(host, lookup).catch(() => [])));
  return found.flat();
}

async function resolve(hostname: string, lookup: Lookup): Promise<readonly string[]> {
  if (isIP(hostname) !== 0) return [hostname];
  try {
    return await lookup(hostname);
  } catch (error) {
    throw new EgressError('dns', true, 'The host cannot be looked up.', { cause: error });
  }
}

function connectTo(address: string, target: Target, connect: Connector): Promise<Socket> {
  const servername = isIP(target.hostname) === 0 ? target.hostname : undefined;
  return new Promise((resolve, reject) => {
    connect({ ...target, hostname: address, ...(servername && { servername }) }, (error, socket) => {
      if (error === null) resolve(socket);
      else reject(connectError(error, target.protocol === 'https:'));
    });
  });
}

/** Errors of the transport itself; with https, whatever else stops the handshake is the fault of TLS. */
const TRANSPORT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function connectError(error: Error, secure: boolean): EgressError {
  const code = 'code' in error ? String(error.code) : '';
  return secure && !TRANSPORT.has(code)
    ? new EgressError('tls', true, 'No secure connection could be made.', { cause: error })
    : new EgressError('connect', true, 'No connection could be made.', { cause: error });
}

function asEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  return new EgressError('connect', true, 'No connection could be made.', { cause: error });
}
