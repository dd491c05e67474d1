import type { ToolCreate, ToolPut } from '@countersign/contracts';
import { newId } from '../platform/ids.js';
import { notFound, Problem } from '../platform/problem.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { newSigningSecret } from '../tools/signing.js';
import { sealHeaders, sealSigningSecret } from '../tools/tool-secrets.js';
import { defineTool } from './define-tool.js';
import type { NewToolVersion, StoredTool, ToolRepository } from './tool.repository.js';

export interface SaveToolDependencies {
  readonly tools: Pick<ToolRepository, 'create' | 'addVersion' | 'replaceSigningSecret' | 'delete'>;
  /** COUNTERSIGN_SECRET. */
  readonly secret: string;
  /** Names of the builtin handlers that this deployment has. */
  readonly handlers: ReadonlySet<string>;
}

/** Registers a tool; its signing secret is told this once. @throws Problem already_exists, or what defineTool refuses. */
export async function createTool(
  dependencies: SaveToolDependencies,
  { tenant }: Pick<TenantScope, 'tenant'>,
  { name, ...input }: ToolCreate,
): Promise<{ readonly tool: StoredTool; readonly signingSecret: string }> {
  const make = versionMaker(dependencies, tenant, name, input);
  make(1);
  const signingSecret = newSigningSecret();
  const signingSecretSealed = sealSigningSecret(signingSecret, dependencies.secret, tenant, name);
  const tool = await dependencies.tools.create(tenant, { id: newId('tol'), name, signingSecretSealed }, make);
  if (tool !== null) return { tool, signingSecret };
  throw new Problem('already_exists', `There is a tool "${name}": PUT makes a new version of it.`);
}

/** Makes a tool's next version. Runs under way keep theirs. @throws Problem not_found, or what defineTool refuses. */
export async function replaceTool(
  dependencies: SaveToolDependencies,
  { tenant }: Pick<TenantScope, 'tenant'>,
  name: string,
  input: ToolPut,
): Promise<StoredTool> {
  const make = versionMaker(dependencies, tenant, name, input);
  make(1);
  const tool = await dependencies.tools.addVersion(tenant, name, make);
  if (tool !== null) return tool;
  throw notFound('tool');
}

/** Gives a tool a new signing secret, which is told this once; the former one ends at once. @throws Problem not_found. */
export async function rotateToolSecret(
  { tools, secret }: SaveToolDependencies,
  { tenant }: Pick<TenantScope, 'tenant'>,
  name: string,
): Promise<string> {
  const signingSecret = newSigningSecret();
  const sealed = sealSigningSecret(signingSecret, secret, tenant, name);
  if (await tools.replaceSigningSecret(tenant, name, sealed)) return signingSecret;
  throw notFound('tool');
}

/** The check comes first, so that a refusal needs no transaction. */
function versionMaker(
  { secret, handlers }: SaveToolDependencies,
  tenant: string,
  name: string,
  input: ToolPut,
): (version: number) => NewToolVersion {
  const { executor } = input;
  const headers = executor.type === 'http' ? (executor.headers ?? {}) : {};
  return (version) => {
    const definition = defineTool(name, version, input, handlers);
    const headersSealed =
      executor.type === 'http' && Object.keys(headers).length > 0
        ? sealHeaders(headers, secret, tenant, name, executor.url)
        : null;
    return { definition, headersSealed };
  };
}
