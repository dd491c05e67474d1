import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Api } from '../support/client.js';
import { meOf } from '../support/people.js';
import { type Stack, withStack } from '../support/stack.js';

interface SeedAnswer {
  readonly apiKey: string;
  readonly signIns: readonly { readonly email: string; readonly password: string; readonly role: string }[];
}

/** What the seed prints, as the launcher reads it. */
async function seed({ environment }: Stack): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['apps/api/dist/seed.js'], {
    env: { ...process.env, ...environment },
  });
  return stdout;
}

test('everybody whom the demo names signs in, as what they are; a second seed makes nobody', async () => {
  await withStack({ workers: 0 }, async (stack) => {
    const { apiKey, signIns } = JSON.parse(await seed(stack)) as SeedAnswer;
    const api = new Api(stack.apiUrl, apiKey, stack.logFiles);
    const places: Record<string, unknown> = {};
    for (const { email, password } of signIns) {
      const { operator, tenants } = await meOf(await api.signIn(email, password));
      places[email] = operator ? 'operator' : tenants.map(({ slug, role }) => `${role} of ${slug}`).join();
    }
    expect(places).toEqual({
      'admin@demo.test': 'admin of demo',
      'reviewer@demo.test': 'reviewer of demo',
      'second@demo.test': 'reviewer of demo',
      'viewer@demo.test': 'viewer of demo',
      'operator@demo.test': 'operator of demo',
      'admin@northwind.test': 'admin of northwind',
      'platform@demo.test': 'operator',
    });
    expect(new Set(signIns.map(({ password }) => password)).size).toBe(signIns.length);
    expect(await seed(stack)).toBe('');
    expect(await api.all('/v1/members')).toHaveLength(5);
  });
});
