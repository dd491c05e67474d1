import { missingRoles, refuseUnsafe } from './roles.mjs';

const login = { superuser: false, bypassesRowSecurity: false, inGroup: true };
const complete = { major: 18, group: true, claimer: true, login, ownerMayGive: true };
const statements = (change: object) => missingRoles({ ...complete, ...change }, 'own', 'app');

describe('the roles that are missing', () => {
  test('none, when all is as wanted', () => {
    expect(statements({})).toEqual([]);
  });

  test('all of them on a new server, in an order in which they can be made', () => {
    expect(statements({ group: false, claimer: false, login: undefined, ownerMayGive: false })).toEqual([
      'CREATE ROLE countersign_app NOLOGIN',
      'CREATE ROLE countersign_claimer NOLOGIN',
      `CREATE ROLE "app" LOGIN PASSWORD '<password of DATABASE_URL>'`,
      'GRANT countersign_app TO "app"',
      'GRANT countersign_claimer TO "own" WITH INHERIT FALSE, SET TRUE',
    ]);
  });

  test('a login that is not in the group is added to it', () => {
    expect(statements({ login: { ...login, inGroup: false } })).toEqual(['GRANT countersign_app TO "app"']);
  });

  test('Postgres 15 knows no options of membership', () => {
    expect(statements({ major: 15, ownerMayGive: false })).toEqual(['GRANT countersign_claimer TO "own"']);
  });
});

describe('what is refused', () => {
  test('a superuser as the application', () => {
    expect(() => refuseUnsafe({ ...complete, login: { ...login, superuser: true } }, 'app')).toThrow(
      'is a superuser',
    );
  });

  test('an application that row-level security does not hold for', () => {
    const state = { ...complete, login: { ...login, bypassesRowSecurity: true } };
    expect(() => refuseUnsafe(state, 'app')).toThrow('is BYPASSRLS');
  });

  test('a Postgres before 15', () => {
    expect(() => refuseUnsafe({ ...complete, major: 14 }, 'app')).toThrow('Postgres is version 14');
  });
});
