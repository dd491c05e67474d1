/** One thing that a process needs before it may be given work. `probe` rejects, with a reason for people, where it fails. */
export interface ReadinessCheck {
  readonly name: string;
  probe(): Promise<void>;
}

export interface Readiness {
  readonly ready: boolean;
  /** `ok` or why not, by the check's name. */
  readonly checks: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 2_000;

/** Asks every check at once; one that does not answer in time has failed. Never rejects. */
export async function readiness(
  checks: readonly ReadinessCheck[],
  patienceMs = PATIENCE_MS,
): Promise<Readiness> {
  const answers = await Promise.all(
    checks.map(async (check) => [check.name, await answerOf(check, patienceMs)] as const),
  );
  return { ready: answers.every(([, answer]) => answer === 'ok'), checks: Object.fromEntries(answers) };
}

async function answerOf(check: ReadinessCheck, patienceMs: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('does not answer'), patienceMs);
  });
  const probe = check.probe().then(
    () => 'ok',
    (error: unknown) => (error instanceof NotReady ? error.message : 'cannot be reached'),
  );
  const answer = await Promise.race([probe, late]);
  clearTimeout(timer);
  return answer;
}

/** A reason that may be read by anybody who may ask for readiness. Other errors are not shown: they may name hosts. */
export class NotReady extends Error {}
