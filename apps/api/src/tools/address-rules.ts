import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { Environment, PrivateNetwork } from '../platform/env.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** What may be reached besides public addresses: everything private, or these networks (none for an empty list). */
export type AllowedNetworks = 'private' | readonly Network[];

export interface AddressRules {
  readonly allowed: AllowedNetworks;
  /** Ports of this product, refused on every address of this machine. */
  readonly ownPorts: ReadonlySet<number>;
  /** Postgres and Redis, refused wherever they are. */
  readonly ownServices: readonly OwnService[];
}

interface OwnService {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
}

/** The rules of a deployment. A port 0 (any free one) cannot be named and is not guarded. */
export function addressRulesOf(environment: Environment): AddressRules {
  const { apiPort, workerPort, dashboardPort, databaseUrl, redisUrl } = environment;
  const ownServices = [
    serviceAt(databaseUrl, 5432),
    ...(redisUrl === null ? [] : [serviceAt(redisUrl, 6379)]),
  ];
  const ownPorts = [apiPort, workerPort, dashboardPort, ...ownServices.map((service) => service.port)];
  return {
    allowed: allowedNetworks(environment.privateNetwork),
    ownPorts: new Set(ownPorts.filter((port) => port !== 0)),
    ownServices,
  };
}

function serviceAt(url: string, defaultPort: number): OwnService {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort };
}

/** What COUNTERSIGN_ALLOW_PRIVATE_NETWORK allows, ready to be matched. */
export function allowedNetworks(setting: PrivateNetwork): AllowedNetworks {
  if (setting.type === 'all') return 'private';
  return setting.type === 'none' ? [] : setting.cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
}

/**
 * Networks that are refused whatever is allowed: this host, link-local, multicast, broadcast, and where clouds keep
 * their metadata (AWS, GCP, Azure, OpenStack 169.254.169.254 and their IPv6 forms; Alibaba, Oracle, Azure's agent).
 */
const NEVER: readonly Network[] = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
].map((text) => ipaddr.parseCIDR(text));

/** All that is routed on the public IPv6 internet (RFC 4291); what ipaddr.js knows as special within it is left out. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** IPv6 networks that carry an IPv4 address, and the byte where it begins: compatible, translated, NAT64, 6to4. */
const CARRIERS: readonly (readonly [Network, number])[] = [
  [ipaddr.parseCIDR('::/96'), 12],
  [ipaddr.parseCIDR('::ffff:0:0:0/96'), 12],
  [ipaddr.parseCIDR('64:ff9b::/96'), 12],
  [ipaddr.parseCIDR('2002::/16'), 2],
];

/**
 * Whether a connection to this numeric address and port may be made: null, or why not. The words name the rule and
 * not the address, since they may reach a tenant.
 */
export function refusalOf(text: string, port: number, rules: AddressRules): string | null {
  // ipaddr.js takes `::1.2.3.4` for the mapped form; it is the obsolete compatible one, which leads nowhere.
  if (!ipaddr.isValid(text) || /^::\d+\./.test(text)) return 'its address cannot be read';
  const address = ipaddr.process(text);
  const carried = carriedIpv4(address);
  const forms = carried === null ? [address] : [address, carried];
  if (forms.some((form) => NEVER.some((network) => within(form, network)))) {
    return 'its address is link-local, a metadata service, or no single host';
  }
  if (rules.ownPorts.has(port) && forms.some(isThisMachine)) return 'it is a port of this product';
  if (isPublic(address)) return null;
  const { allowed } = rules;
  if (allowed === 'private' || allowed.some((network) => within(address, network))) return null;
  return 'its address is not public';
}

/** True where two numeric addresses are one, however they are written. */
export function isSameAddress(a: string, b: string): boolean {
  return (
    ipaddr.isValid(a) && ipaddr.isValid(b) && ipaddr.process(a).toString() === ipaddr.process(b).toString()
  );
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || within(address, GLOBAL_IPV6);
}

function within(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Mapped addresses (`::ffff:0:0/96`) are not among them: `ipaddr.process` has already made IPv4 of those. */
function carriedIpv4(address: Address): Address | null {
  if (address.range() === 'loopback') return null;
  const carrier = CARRIERS.find(([network]) => within(address, network));
  if (carrier === undefined) return null;
  return new ipaddr.IPv4(address.toByteArray().slice(carrier[1], carrier[1] + 4));
}

function isThisMachine(address: Address): boolean {
  if (address.range() === 'loopback') return true;
  const text = address.toString();
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .some((entry) => ipaddr.isValid(entry.address) && ipaddr.process(entry.address).toString() === text);
}
