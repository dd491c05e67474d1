/** What the product posts to a tool (and to its `check` and `reconcile`), as far as the examples read it. */
export interface ToolRequest {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly context?: { readonly subject: unknown };
}

/** `no_answer`: the connection stays open and nothing comes, as from a server that hangs. */
export type ToolAnswer = { readonly status: number; readonly body?: unknown } | 'no_answer';

/** One tool as its server sees it. */
export type ToolRoute = (request: ToolRequest, idempotencyKey: string) => ToolAnswer | Promise<ToolAnswer>;

/** Tools by path, `/name` each. */
export type ToolRoutes = Readonly<Record<string, ToolRoute>>;

export function answered(body: unknown): { status: number; body: unknown } {
  return { status: 200, body };
}

/** A refusal whose `detail` the model may read. */
export function refused(status: number, title: string, detail: string): { status: number; body: unknown } {
  return { status, body: { type: 'about:blank', title, status, detail } };
}

/** An argument as text; empty where it is missing. */
export function textOf(request: ToolRequest, name: string): string {
  const value = request.arguments[name];
  return typeof value === 'string' ? value : '';
}

/** A claim of the run's subject as text; empty where it is missing. */
export function claimOf(request: ToolRequest, name: string): string {
  const subject = request.context?.subject;
  if (typeof subject !== 'object' || subject === null) return '';
  const value = new Map<string, unknown>(Object.entries(subject)).get(name);
  return typeof value === 'string' ? value : '';
}
