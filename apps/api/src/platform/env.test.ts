import { EnvironmentError, readEnvironment } from './env.js';

const least = {
  DATABASE_URL: 'postgres://app:sesame@127.0.0.1:5432/countersign',
  COUNTERSIGN_ADMIN_KEY: 'a'.repeat(16),
  COUNTERSIGN_SECRET: '0123456789abcdef'.repeat(4),
};

describe('readEnvironment', () => {
  test('fills in the defaults of the contract', () => {
    expect(readEnvironment(least)).toMatchObject({
      redisUrl: null,
      host: '127.0.0.1',
      apiPort: 3001,
      workerPort: 3002,
      dashboardPort: 3000,
      dataDirectory: '.countersign',
      demo: false,
      privateNetwork: { type: 'none' },
      workerLeaseSeconds: 15,
      logLevel: 'info',
      providers: { openai: { apiKey: null, baseUrl: null } },
    });
  });

  test('an empty value counts as unset', () => {
    expect(readEnvironment({ ...least, REDIS_URL: '', API_PORT: '' })).toMatchObject({
      redisUrl: null,
      apiPort: 3001,
    });
  });

  test.each([
    ['1', { type: 'all' }],
    ['0', { type: 'none' }],
    ['10.0.0.0/8, fd00::/8', { type: 'ranges', cidrs: ['10.0.0.0/8', 'fd00::/8'] }],
  ])('COUNTERSIGN_ALLOW_PRIVATE_NETWORK takes %s', (value, network) => {
    const { privateNetwork } = readEnvironment({ ...least, COUNTERSIGN_ALLOW_PRIVATE_NETWORK: value });
    expect(privateNetwork).toEqual(network);
  });

  test.each([
    ['API_PORT', '99999', 'API_PORT: got "99999", takes a port from 0 to 65535 (default 3001)'],
    [
      'WORKER_LEASE_SECONDS',
      '0',
      'WORKER_LEASE_SECONDS: got "0", takes a whole number from 1 to 300 (default 15)',
    ],
    ['COUNTERSIGN_DEMO', 'yes', 'COUNTERSIGN_DEMO: got "yes", takes 1 or 0 (default 0)'],
    [
      'COUNTERSIGN_ALLOW_PRIVATE_NETWORK',
      '10.0.0.0/99',
      'COUNTERSIGN_ALLOW_PRIVATE_NETWORK: got "10.0.0.0/99", takes 1, 0, or CIDRs apart by commas',
    ],
    ['OPENAI_BASE_URL', 'localhost', 'OPENAI_BASE_URL: got "localhost", takes an http(s) URL'],
  ])('a wrong %s says what it got and what it takes', (name, value, message) => {
    expect(() => readEnvironment({ ...least, [name]: value })).toThrow(new EnvironmentError(message));
  });

  test.each(['DATABASE_URL', 'COUNTERSIGN_ADMIN_KEY', 'COUNTERSIGN_SECRET'])('%s is required', (name) => {
    expect(() => readEnvironment({ ...least, [name]: undefined })).toThrow(`${name}: got nothing, takes`);
  });

  test.each([
    ['COUNTERSIGN_ADMIN_KEY', 'too-short'],
    ['COUNTERSIGN_SECRET', 'not-hex-but-secret'],
    ['DATABASE_URL', 'mysql://app:sesame@host/db'],
  ])('the value of %s is never told', (name, value) => {
    expect(() => readEnvironment({ ...least, [name]: value })).toThrow(
      new RegExp(`^${name}: got a value of ${value.length} characters, takes .+$`),
    );
  });
});
