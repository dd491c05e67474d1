import type { RunEvent, StoredEvent } from '@countersign/agent-core';
import { plainText, plainTextOrNull } from './plain-text.js';

/** One attempt at a model. Instants in milliseconds. */
export interface ModelCallRow {
  readonly id: string;
  readonly turn: number | null;
  readonly choice: number;
  readonly provider: string;
  readonly api: string;
  readonly model: string;
  readonly responseId: string | null;
  readonly requestDigest: string;
  readonly adapterRevision: string;
  readonly sdkRevision: string;
  readonly priceVersion: string;
  readonly finish: string | null;
  readonly finishRaw: string | null;
  readonly failure: string | null;
  readonly httpStatus: number | null;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly estimated: boolean;
  readonly costUsd: string;
  readonly wasteUsd: string;
  readonly startedAt: number;
  readonly finishedAt: number;
}

const NO_USAGE = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** The attempts that a step records. */
export function modelCallRows(events: readonly StoredEvent[]): readonly ModelCallRow[] {
  return events.flatMap(({ event, at }) => {
    if (event.type !== 'model.responded' && event.type !== 'model.failed') return [];
    const { inputTokens, cachedInputTokens, cacheWriteTokens, outputTokens, reasoningTokens } =
      event.usage ?? NO_USAGE;
    return [
      {
        id: event.modelCallId,
        choice: event.choice,
        provider: event.provider,
        api: event.api,
        model: plainText(event.model),
        requestDigest: event.requestDigest,
        adapterRevision: event.revision.adapter,
        sdkRevision: event.revision.sdk,
        priceVersion: event.priceVersion,
        ...endOf(event),
        inputTokens,
        cachedInputTokens,
        cacheWriteTokens,
        outputTokens,
        reasoningTokens,
        estimated: event.estimated,
        costUsd: event.costUsd,
        wasteUsd: event.wasteUsd,
        startedAt: event.startedAt,
        finishedAt: at,
      },
    ];
  });
}

function endOf(event: Extract<RunEvent, { type: 'model.responded' | 'model.failed' }>) {
  return event.type === 'model.responded'
    ? {
        turn: event.turn,
        responseId: plainTextOrNull(event.responseId),
        finish: event.finish.unified,
        finishRaw: plainTextOrNull(event.finish.raw),
        failure: null,
        httpStatus: null,
      }
    : {
        turn: null,
        responseId: null,
        finish: null,
        finishRaw: null,
        failure: event.code,
        httpStatus: event.httpStatus,
      };
}
