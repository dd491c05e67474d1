import { randomBytes } from 'node:crypto';
import type { Api } from './client.js';

export type Role = 'viewer' | 'reviewer' | 'operator' | 'admin';

export interface MemberView {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: string;
}

export interface MeView {
  readonly actor: { readonly type: string; readonly id: string };
  readonly operator: boolean;
  readonly tenant: { readonly id: string; readonly role: string | null; readonly scopes: string[] } | null;
  readonly tenants: readonly { readonly slug: string; readonly role: string | null }[];
}

export const meOf = (api: Api): Promise<MeView> => api.expect(200, api.get<MeView>('/v1/me'));

/** A member who is signed in. */
export interface TestMember {
  readonly member: MemberView;
  readonly password: string;
  readonly api: Api;
}

export const newEmail = (): string => `${randomBytes(6).toString('hex')}@people.test`;

export async function addMember(
  api: Api,
  role: Role,
  email = newEmail(),
): Promise<{ readonly member: MemberView; readonly password: string | null }> {
  const body = { email, name: `A ${role}`, role };
  return api.expect(201, api.post<{ member: MemberView; password: string | null }>('/v1/members', body));
}

/** Makes a person who had no account a member, and signs them in. */
export async function signedInMember(api: Api, role: Role): Promise<TestMember> {
  const { member, password } = await addMember(api, role);
  if (password === null) throw new Error('the person had an account already');
  return { member, password, api: await api.signIn(member.email, password) };
}
