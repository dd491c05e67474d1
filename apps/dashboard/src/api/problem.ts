import type { ProblemDocument } from '@countersign/contracts';

/** What the API, or the way to it, answered instead of a result. `code` is one of the API's, or `unreachable`. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(
    /** The HTTP status; 0 where no answer came. */
    readonly status: number,
    readonly code: string,
    /** A sentence for people. */
    readonly detail: string,
    readonly errors: NonNullable<ProblemDocument['errors']> = [],
    readonly requestId: string | null = null,
  ) {
    super(detail);
  }

  /** The message about one field of what was sent; undefined when it has none. */
  about(path: string): string | undefined {
    return this.errors.find((error) => error.path === path)?.message;
  }
}

/** No answer came: the network, the API or this page's own server is away. */
export function unreachable(): ApiProblem {
  return new ApiProblem(0, 'unreachable', 'The server does not answer. It is asked again by itself.');
}

/** Reads an answer that is not 2xx; one that no API of ours wrote is described by its status. */
export async function readProblem(response: Response): Promise<ApiProblem> {
  const text = await response.text().catch(() => '');
  const document = parseObject(text);
  if (document === undefined || typeof document.code !== 'string') {
    return new ApiProblem(response.status, 'no_problem', `The server answered ${response.status}.`);
  }
  const { code, detail, title, errors, requestId } = document as Partial<ProblemDocument>;
  return new ApiProblem(response.status, code ?? '', detail ?? title ?? '', errors ?? [], requestId ?? null);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
