import { gate } from '../support/gate.js';
import { endOf } from '../support/runs.js';
import type { Page } from '../support/wire.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

interface ModelCallView {
  readonly id: string;
  readonly finish: { unified: string; raw: string } | null;
}

interface SpanView {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly finishedAt: string | null;
}

describe('looking into a run', () => {
  let world: RunsWorld;
  beforeEach(async () => {
    world = await openRunsWorld({ budget: { perRunUsd: '0.50' } });
  });
  afterEach(() => world.close());

  const modelCallsOf = (runId: string) => world.api.all<ModelCallView>(`/v1/runs/${runId}/model-calls`);
  const spansOf = async (runId: string) =>
    (await world.api.get<{ spans: SpanView[] }>(`/v1/runs/${runId}/trace`)).body.spans;

  test('model calls come oldest first: what was used, what it cost, what was set aside, how it ended', async () => {
    world.model.play([
      { status: 500, body: '{}' },
      {
        calls: [{ tool: 'look', arguments: { order: 1 } }],
        usage: {
          prompt_tokens: 1_000,
          completion_tokens: 100,
          prompt_tokens_details: { cached_tokens: 400 },
          completion_tokens_details: { reasoning_tokens: 30 },
        },
      },
      { text: 'Cut', finish: 'length' },
    ]);
    const { id } = await world.start();
    await endOf(world.api, id, 'incomplete');
    const calls = await modelCallsOf(id);
    const same = {
      id: expect.stringMatching(/^mdl_[0-9a-z]{26}$/),
      provider: 'openai-compatible',
      api: 'chat',
      model: 'test-model',
      priceVersion: expect.any(String),
      requestDigest: expect.stringMatching(/^sha256:/),
      revisions: { adapter: expect.any(String), sdk: expect.any(String) },
      reservedUsd: expect.stringMatching(/^0\.\d{6,}$/),
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
    };
    expect(calls).toEqual([
      expect.objectContaining({
        ...same,
        turn: null,
        responseId: null,
        finish: null,
        failure: { code: 'overloaded', httpStatus: 500 },
      }),
      {
        ...same,
        turn: 1,
        responseId: expect.stringMatching(/^chatcmpl-/),
        finish: { unified: 'tool_calls', raw: 'tool_calls' },
        failure: null,
        usage: {
          inputTokens: 1_000,
          cachedInputTokens: 400,
          cacheWriteTokens: 0,
          outputTokens: 100,
          reasoningTokens: 30,
        },
        estimated: false,
        costUsd: '0.002200',
        wasteUsd: '0.000000',
      },
      expect.objectContaining({ turn: 2, finish: { unified: 'max_tokens', raw: 'length' } }),
    ]);
    const first = await world.api.get<Page<ModelCallView>>(`/v1/runs/${id}/model-calls?limit=2`);
    const after = encodeURIComponent(first.body.nextCursor ?? '');
    const rest = await world.api.get<Page<ModelCallView>>(`/v1/runs/${id}/model-calls?after=${after}`);
    expect([...first.body.data, ...rest.body.data]).toEqual(calls);
  });

  test('a trace shows the model call under way, and ends it when it ends', async () => {
    const held = gate();
    const asked = gate();
    world.model.play(async () => {
      asked.open();
      await held.opened;
      return { text: 'Done.' };
    });
    const { id } = await world.start();
    await asked.opened;
    const [call] = (await spansOf(id)).filter(({ kind }) => kind === 'model_call');
    expect(call).toMatchObject({ status: 'open', finishedAt: null });
    held.open();
    await endOf(world.api, id, 'completed');
    expect((await spansOf(id)).filter(({ kind }) => kind === 'model_call')).toMatchObject([
      { id: call?.id, status: 'stop', finishedAt: expect.any(String) },
    ]);
  });
});
