/** The list of members, and what is changed of it. */
export const MEMBERS = '/v1/members';
