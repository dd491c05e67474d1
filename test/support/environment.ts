/** What the test launcher started and hands on. Only this file knows the names of its variables. */
export interface TestServices {
  /** Sees every tenant's rows; only for looking. Its database part is replaced. */
  readonly superuserUrl: string;
  /** The migrated, empty database that every stack clones. */
  readonly templateDatabase: string;
  /** The owner, in a database from which it makes others. */
  readonly ownerUrl: string;
  /** The application's role; its database part is replaced. */
  readonly appUrl: string;
  /** Null: the queue lives in Postgres, inside each clone. */
  readonly redisUrl: string | null;
}

/** Reads the services from the environment, or says how to start them. */
export function testServices(): TestServices {
  return {
    superuserUrl: required('TEST_DATABASE_SUPERUSER_URL'),
    templateDatabase: required('TEST_DATABASE_TEMPLATE'),
    ownerUrl: required('TEST_DATABASE_OWNER_URL'),
    appUrl: required('TEST_DATABASE_APP_URL'),
    redisUrl: process.env.REDIS_URL ?? null,
  };
}

/** The folder of recordings (COUNTERSIGN_TEST_DATA), or null where tests that need it have nothing to replay. */
export function recordingsFolder(): string | null {
  const folder = process.env.COUNTERSIGN_TEST_DATA;
  return folder === undefined || folder === '' ? null : folder;
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: these tests need the services that \`npm test\` starts`);
  }
  return value;
}
