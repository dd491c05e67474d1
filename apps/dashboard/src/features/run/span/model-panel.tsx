import type { ModelCall, TraceSpan } from '@countersign/contracts';
import { useRead } from '../../../api/use-read';
import { InertText } from '../../../kit/inert-text';
import { Money } from '../../../kit/money';
import { Skeleton } from '../../../kit/skeleton';
import { Time } from '../../../kit/time';
import { duration } from '../../../kit/times';
import { Payload } from '../conversation/payload';
import { runPath } from '../data/run-path';
import { useListed } from '../data/use-listed';
import type { ModelCallStory, Story } from '../story/story';
import { counted } from '../words';
import { attemptsAt, newSince } from './find-span';
import { Received } from './received';
import { DigestFact, Fact, Facts, IdFact, Section, WordFact } from './rows';
import { Tokens } from './tokens';

interface ModelPanelProps {
  runId: string;
  story: Story;
  model: ModelCallStory;
  onOpen: (id: string) => void;
}

/** A model call: what it was sent and what of it was new, how it ended, what it took. */
export function ModelPanel({ runId, story, model, onOpen }: ModelPanelProps) {
  const { row } = useListed<ModelCall>(`${runPath(runId)}/model-calls`, model.id, 0);
  const { finish, failure, usage, attempt } = model;
  const attempts = attemptsAt(story, model.turn);
  return (
    <>
      <div className="px-4 pb-3">
        <Facts>
          {finish !== null && (
            <Fact name="Ended by">
              <span className="font-mono">{finish.unified}</span>
              <span className="text-faint">, the provider says </span>
              <InertText text={finish.raw} className="font-mono" />
            </Fact>
          )}
          {failure !== null && (
            <Fact name="Failed by">
              <span className="font-mono text-red">{failure.code}</span>
              {failure.httpStatus !== null && <span className="font-mono"> {failure.httpStatus}</span>}
              <InertText text={failure.message} lines className="block" />
              {failure.retryAfterMs !== null && (
                <span className="block text-faint">
                  to be tried again after {duration(failure.retryAfterMs)}
                </span>
              )}
            </Fact>
          )}
          <Fact name="Provider">
            {model.provider} <span className="text-faint">{model.api}</span>
            {model.choice > 0 && <span className="text-faint">, fallback {model.choice}</span>}
          </Fact>
          <Fact name="Sent">
            <Time at={new Date(model.from).toISOString()} />
          </Fact>
          <Fact name="Took">
            <span className="figures font-mono">{duration(model.to - model.from)}</span>
          </Fact>
          <Fact name="Attempt">
            {attempts.length < 2 ? (
              'the only one'
            ) : (
              <span className="flex flex-wrap gap-x-2">
                {attempts.map((each) =>
                  each.id === model.id ? (
                    <span key={each.id} className="font-medium">
                      {attempt} of {attempts.length}
                    </span>
                  ) : (
                    <button
                      key={each.id}
                      type="button"
                      onClick={() => onOpen(each.id)}
                      className="rounded-4 text-muted underline underline-offset-4 hover:text-ink"
                    >
                      attempt {each.attempt}
                    </button>
                  ),
                )}
              </span>
            )}
          </Fact>
        </Facts>
      </div>
      <SentSection runId={runId} story={story} model={model} />
      <Section title="Tokens" aside={model.estimated ? 'estimated' : undefined}>
        {usage === null ? (
          <p className="text-12 text-faint">The provider counted none.</p>
        ) : (
          <Tokens usage={usage} />
        )}
      </Section>
      <Section title="Cost">
        <Facts>
          <Fact name="Cost">
            <Money amount={model.costUsd} exact />
          </Fact>
          {/[1-9]/.test(model.wasteUsd) && (
            <Fact name="Waste" part>
              <Money amount={model.wasteUsd} exact className="text-red" />
            </Fact>
          )}
          <Fact name="Reserved before">
            {row === undefined ? (
              <Skeleton className="mt-1 w-16" />
            ) : (
              <Money amount={row.reservedUsd} exact />
            )}
          </Fact>
          <WordFact name="Price version" value={model.priceVersion} />
        </Facts>
      </Section>
      <Section title="Ids">
        <Facts>
          <IdFact name="Model call" value={model.id} />
          <IdFact name="Response" value={model.responseId} />
          <DigestFact name="Request digest" value={model.requestDigest} />
          <WordFact name="Adapter" value={model.revision.adapter} />
          <WordFact name="SDK" value={model.revision.sdk} />
        </Facts>
      </Section>
    </>
  );
}

function SentSection({ runId, story, model }: Omit<ModelPanelProps, 'onOpen'>) {
  const trace = useRead<{ spans: readonly TraceSpan[] }>(`${runPath(runId)}/trace`);
  const received = trace.data?.spans.find(({ id }) => id === model.id)?.received ?? null;
  const items = newSince(story, model.id);
  const messages = received?.messages;
  return (
    <Section title="What was sent" aside={messages === undefined ? undefined : counted(messages, 'message')}>
      {received !== null && <Received received={received} />}
      <p className="pt-1 pb-1 text-12 text-faint">New since the reply before</p>
      {items.length === 0 ? (
        <p className="text-12 text-muted">Nothing but that reply itself.</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {items.map(({ key, who, text }) => (
            <li key={key}>
              <Payload label={who} value={text} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
