import type { Agent, Run } from '@countersign/contracts';
import { writeExactly } from '../../../api/exact-json';
import type { Creation } from '../story/happening';

/** What is posted to start a run. */
export interface StartBody {
  readonly agent: string;
  readonly version: number;
  readonly input: string | Creation['input'];
  readonly subject?: unknown;
  readonly metadata?: unknown;
  readonly limits?: Readonly<Record<string, number>>;
  readonly budgetUsd?: string;
}

type Defaults = Pick<Agent, 'limits' | 'budget'>;

/**
 * What starts the same run again: the same version of the agent with the same input for the same subject, under an
 * operation of its own, so that nothing of it counts as done already. A run holds its agent's limits and those that were
 * given for it alike: only what differs from `agent` was given. Where that version is not known, all of them are.
 */
export function startAgain(run: Run, creation: Creation, agent: Defaults | null): StartBody {
  const { input, limits, budgetLimitUsd } = creation;
  const given = Object.entries(limits).filter(
    (entry): entry is [string, number] => entry[1] !== null && entry[1] !== limitOf(agent, entry[0]),
  );
  const [only] = input;
  const budgetGiven =
    budgetLimitUsd !== null && !isSameAmount(budgetLimitUsd, agent?.budget?.perRunUsd ?? null);
  return {
    agent: run.agent.name,
    version: run.agent.version,
    input: input.length === 1 && only?.role === 'user' ? only.content : input,
    ...(run.subject === null ? {} : { subject: run.subject }),
    ...(run.metadata === null ? {} : { metadata: run.metadata }),
    ...(given.length === 0 ? {} : { limits: Object.fromEntries(given) }),
    ...(budgetGiven ? { budgetUsd: budgetLimitUsd } : {}),
  };
}

function limitOf(agent: Defaults | null, name: string): number | null | undefined {
  return agent === null ? undefined : agent.limits[name as keyof Agent['limits']];
}

/** Whether two decimals are one amount: `1.5` and `1.500000`. */
function isSameAmount(one: string, other: string | null): boolean {
  const bare = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);
  return other !== null && bare(one) === bare(other);
}

/** The command that posts `body`; who runs it puts their key into COUNTERSIGN_KEY. */
export function curlOf(origin: string, body: StartBody): string {
  return [
    `curl -X POST ${quoted(`${origin}/v1/runs`)}`,
    `-H "Authorization: Bearer $COUNTERSIGN_KEY"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${quoted(writeExactly(body))}`,
  ].join(' \\\n  ');
}

/** One word of a POSIX shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
