import type { TestDatabase } from '../support/database.js';

export type Outage = (database: TestDatabase) => Promise<void>;

/** How long Postgres stays away: more than half of a lease of one second, after which a worker gives up what it holds. */
const AWAY_MS = 700;

const END_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Ways in which Postgres fails those who use one of its databases; the other databases notice nothing. */
export const OUTAGES: Readonly<Record<string, Outage>> = {
  'ends every connection, as a restart does': async (database) => {
    await database.query(END_CONNECTIONS);
  },
  'is away and takes no connection': (database) =>
    during(database, 'WITH ALLOW_CONNECTIONS false', 'WITH ALLOW_CONNECTIONS true'),
  'has no connection left': (database) =>
    during(database, 'WITH CONNECTION LIMIT 0', 'WITH CONNECTION LIMIT -1'),
  'cancels each statement under way, as a statement time-out does': async (database) => {
    const until = performance.now() + AWAY_MS;
    while (performance.now() < until) {
      await database.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
      );
    }
  },
  'answers no statement about runs': async (database) => {
    await database.query(
      `DO $$ BEGIN LOCK TABLE runs IN ACCESS EXCLUSIVE MODE; PERFORM pg_sleep(${AWAY_MS / 1000}); END $$`,
    );
  },
};

/** Connections are ended and refused for a while. A superuser may still connect where the limit refuses others. */
async function during(database: TestDatabase, away: string, back: string): Promise<void> {
  const { name, elsewhere } = database;
  await elsewhere(`ALTER DATABASE ${name} ${away}`);
  try {
    await elsewhere(
      `SELECT pg_terminate_backend(pid), pg_sleep(0) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    await elsewhere(`SELECT pg_sleep(${AWAY_MS / 1000})`);
  } finally {
    await elsewhere(`ALTER DATABASE ${name} ${back}`);
  }
}
