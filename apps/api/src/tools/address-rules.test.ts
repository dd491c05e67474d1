import { networkInterfaces } from 'node:os';
import { readEnvironment } from '../platform/env.js';
import { type AddressRules, addressRulesOf, allowedNetworks, refusalOf } from './address-rules.js';

const rules = (allowed: AddressRules['allowed'], ...ownPorts: number[]): AddressRules => ({
  allowed,
  ownPorts: new Set(ownPorts),
  ownServices: [],
});
const NOTHING = rules([]);
const EVERYTHING = rules('private', 3001, 5432);

test.each(['93.184.215.14', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
  '%s is public',
  (address) => {
    expect(refusalOf(address, 443, NOTHING)).toBeNull();
  },
);

test.each([
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '198.18.0.1',
  '203.0.113.7',
  '240.0.0.1',
  'fd12::1',
  'fec0::1',
  '2001:db8::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::8.8.8.8',
  '2002:7f00:1::',
  '::808:808',
  '4000::1',
])('%s is private: refused until it is allowed', (address) => {
  expect(refusalOf(address, 443, NOTHING)).not.toBeNull();
  expect(refusalOf(address, 443, EVERYTHING)).toBeNull();
});

test.each([
  ['this host', '0.0.0.0'],
  ['this host', '0.1.2.3'],
  ['this host', '::'],
  ['metadata', '169.254.169.254'],
  ['metadata of containers', '169.254.170.2'],
  ['metadata', 'fd00:ec2::254'],
  ['metadata', 'fd20:ce::254'],
  ['metadata', '100.100.100.200'],
  ['metadata', '192.0.0.192'],
  ['the agent of a cloud', '168.63.129.16'],
  ['link-local', '169.254.0.1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['multicast', '224.0.0.1'],
  ['multicast', 'ff02::1'],
  ['broadcast', '255.255.255.255'],
  ['metadata, mapped', '::ffff:169.254.169.254'],
  ['metadata, mapped in hex', '::ffff:a9fe:a9fe'],
  ['metadata, compatible', '::169.254.169.254'],
  ['metadata, compatible in hex', '::a9fe:a9fe'],
  ['an obsolete form', '::8.8.8.8'],
  ['metadata by NAT64', '64:ff9b::a9fe:a9fe'],
  ['metadata by 6to4', '2002:a9fe:a9fe::'],
  ['metadata, translated', '::ffff:0:169.254.169.254'],
  ['no address', 'localhost'],
  ['no address', '127.1.'],
])('%s is never reached, whatever is allowed: %s', (_what, address) => {
  expect(refusalOf(address, 443, EVERYTHING)).not.toBeNull();
});

test('only the networks that are named are allowed, IPv4 also in its mapped form', () => {
  const some = rules(allowedNetworks({ type: 'ranges', cidrs: ['10.1.0.0/16', 'fd00:1::/32'] }));
  expect(refusalOf('10.1.2.3', 80, some)).toBeNull();
  expect(refusalOf('::ffff:10.1.2.3', 80, some)).toBeNull();
  expect(refusalOf('fd00:1::5', 80, some)).toBeNull();
  expect(refusalOf('10.2.0.1', 80, some)).toBe('its address is not public');
  expect(refusalOf('fd00:2::5', 80, some)).toBe('its address is not public');
  expect(refusalOf('127.0.0.1', 80, some)).toBe('its address is not public');
});

test('a network that is named does not open metadata within it', () => {
  const wide = rules(allowedNetworks({ type: 'ranges', cidrs: ['0.0.0.0/0', '::/0'] }));
  expect(refusalOf('169.254.169.254', 80, wide)).not.toBeNull();
  expect(refusalOf('fd00:ec2::254', 80, wide)).not.toBeNull();
});

test("the product's own ports are refused on every address of this machine, and free elsewhere", () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) =>
    (entries ?? []).map((entry) => entry.address),
  );
  const here = [
    '127.0.0.1',
    '127.0.0.2',
    '::1',
    '::ffff:127.0.0.1',
    ...own.filter((text) => !text.startsWith('fe80')),
  ];
  for (const address of here) {
    expect(refusalOf(address, 3001, EVERYTHING)).toBe('it is a port of this product');
    expect(refusalOf(address, 5432, EVERYTHING)).toBe('it is a port of this product');
    expect(refusalOf(address, 3003, EVERYTHING)).toBeNull();
  }
  expect(refusalOf('10.255.254.253', 5432, EVERYTHING)).toBeNull();
});

test('the rules of a deployment come from its environment', () => {
  const environment = readEnvironment({
    DATABASE_URL: 'postgres://app:secret@[fd00::5]/countersign',
    REDIS_URL: 'redis://redis:6400',
    COUNTERSIGN_ADMIN_KEY: 'k'.repeat(16),
    COUNTERSIGN_SECRET: 'ab'.repeat(32),
    COUNTERSIGN_ALLOW_PRIVATE_NETWORK: '10.0.0.0/8',
    API_PORT: '4001',
    WORKER_PORT: '0',
  });
  const { ownPorts, ownServices, allowed } = addressRulesOf(environment);
  expect([...ownPorts]).toEqual([4001, 3000, 5432, 6400]);
  expect(ownServices).toEqual([
    { host: 'fd00::5', port: 5432 },
    { host: 'redis', port: 6400 },
  ]);
  expect(allowed).toHaveLength(1);
});
