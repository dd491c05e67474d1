import path from 'node:path';
import { readEnvironment } from './environment.mjs';

const read = (variables: Record<string, string>) => readEnvironment(variables, { demo: true });

describe('the environment of the launcher', () => {
  test('nothing set: embedded services and the ports of the contract', () => {
    expect(read({})).toEqual({
      databaseUrl: undefined,
      migrationUrl: undefined,
      redisUrl: undefined,
      apiPort: 3001,
      workerPort: 3002,
      dashboardPort: 3000,
      demoShopPort: 3003,
      host: '127.0.0.1',
      dataDirectory: path.resolve(__dirname, '../../.countersign'),
      demo: true,
    });
  });

  test('an empty value is as good as none', () => {
    expect(read({ API_PORT: '', DATABASE_URL: '', COUNTERSIGN_DEMO: '' })).toEqual(read({}));
  });

  test('the owner is the application where only that is named', () => {
    expect(read({ DATABASE_URL: 'postgres://a@h/d' }).migrationUrl).toBe('postgres://a@h/d');
  });

  test('an owner without an application is refused', () => {
    expect(() => read({ DATABASE_MIGRATION_URL: 'postgres://a@h/d' })).toThrow('DATABASE_URL is not set');
  });

  test.each([
    ['API_PORT', 'abc', 'API_PORT is "abc"; it takes a port from 1 to 65535'],
    ['API_PORT', '0', 'API_PORT is "0"; it takes a port from 1 to 65535'],
    ['WORKER_PORT', '65536', 'WORKER_PORT is "65536"; it takes a port from 0 to 65535'],
    ['COUNTERSIGN_DEMO', 'yes', 'COUNTERSIGN_DEMO is "yes"; it takes 0 or 1'],
    ['REDIS_URL', 'localhost', 'REDIS_URL is no URL; it takes redis://... or rediss://...'],
  ])('a wrong %s is refused in one line: the variable, what it got, what it takes', (name, value, line) => {
    expect(() => read({ [name]: value })).toThrow(line);
  });

  test('a refused URL does not show its password', () => {
    expect(() => read({ DATABASE_URL: 'mysql://a:hunter2@h/d' })).toThrow(
      /^DATABASE_URL is mysql:\/\/\.\.\.; it takes postgresql:/,
    );
  });

  test('port 0 of the worker picks a free one', () => {
    expect(read({ WORKER_PORT: '0' }).workerPort).toBe(0);
  });
});
