/** A run that the demonstration begins with, as it is posted to `POST /v1/runs`. */
export interface DemoRun {
  readonly body: {
    readonly agent: string;
    readonly input: string;
    readonly subject: { readonly id: string; readonly name: string };
    /** By it the run is known again, so that it is started once. */
    readonly operationId: string;
    readonly metadata: { readonly channel: string; readonly ticket: string };
    readonly limits?: Readonly<Record<string, number>>;
    readonly budgetUsd?: string;
  };
  /** What is done once the run waits; null: that is left to whoever looks at the demonstration. */
  readonly next: DemoStep | null;
}

export type DemoStep =
  | { readonly type: 'cancel' }
  | { readonly type: 'reject'; readonly message: string }
  /** `amount` in place of the one that was asked for, where the reviewer changed it. */
  | { readonly type: 'approve'; readonly message?: string; readonly amount?: string };

type Rest = Pick<DemoRun['body'], 'limits' | 'budgetUsd'>;

/** Makes runs of one agent; `prefix` begins their operation ids and tickets. */
export function demoRuns(agent: string, prefix: string, firstTicket: number) {
  const runs: DemoRun[] = [];
  return {
    runs,
    /** A message of a customer through a channel. */
    add(
      [id, name]: readonly [id: string, name: string],
      channel: 'chat' | 'e-mail',
      input: string,
      { next = null, ...rest }: Rest & { readonly next?: DemoStep | null } = {},
    ): void {
      const ticket = `${prefix}-${firstTicket + runs.length}`;
      const body = {
        agent,
        input,
        subject: { id, name },
        operationId: ticket,
        metadata: { channel, ticket },
        ...rest,
      };
      runs.push({ body, next });
    },
  };
}

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How long the signature of a run is waited for, in seconds. */
export function within(approvalTtlSeconds: number): {
  readonly limits: { readonly approvalTtlSeconds: number };
} {
  return { limits: { approvalTtlSeconds } };
}
