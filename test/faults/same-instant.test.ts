import { withServers } from '../support/definitions.js';
import { sharedStack } from '../support/stack.js';
import { decideAtOnce, ONE_OUTCOME } from './same-instant.js';

const APPROVALS = 40;
const TTL_SECONDS = 4;

test(`two reviewers and the expiry of ${APPROVALS} approvals at the same instant: one outcome each, and the effect follows it`, () =>
  withServers(async (servers) => {
    const outcomes = await decideAtOnce(sharedStack(), servers, APPROVALS, TTL_SECONDS);
    for (const outcome of outcomes) expect(ONE_OUTCOME).toContainEqual(outcome);
  }));
