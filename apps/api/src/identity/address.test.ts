import { addressOf } from './address.js';

const from = (remoteAddress: string, forwarded?: string): string =>
  addressOf({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as never);

describe('the address of a request', () => {
  test('is the peer\u2019s, whatever it says of others', () => {
    expect(from('203.0.113.7')).toBe('203.0.113.7');
    expect(from('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7');
    expect(from('::ffff:203.0.113.7', '198.51.100.1')).toBe('203.0.113.7');
  });

  test('is what a proxy on this machine adds last', () => {
    expect(from('127.0.0.1', '198.51.100.1')).toBe('198.51.100.1');
    expect(from('::1', '10.0.0.1, 198.51.100.1')).toBe('198.51.100.1');
    expect(from('127.0.0.1')).toBe('127.0.0.1');
    expect(from('127.0.0.1', 'nonsense')).toBe('127.0.0.1');
  });

  test('is one for all of a subscriber\u2019s IPv6 addresses', () => {
    expect(from('2001:db8:1:2:3:4:5:6')).toBe(from('2001:db8:1:2:ffff::1'));
    expect(from('2001:db8:1:2:3:4:5:6')).not.toBe(from('2001:db8:1:3:3:4:5:6'));
  });
});
