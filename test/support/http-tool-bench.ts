import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { PreparedTool, ToolDefinition, ToolInvocation, ToolOutcome } from '@countersign/agent-core';
import { BuiltinTools } from '../../apps/api/src/tools/builtin-tools.js';
import { EgressGuard } from '../../apps/api/src/tools/egress.js';
import { prepareSigned, type SignedCallParts } from '../../apps/api/src/tools/signed-call.js';
import { newSigningSecret } from '../../apps/api/src/tools/signing.js';
import { createToolPort } from '../../apps/api/src/tools/tool-port.js';
import { sealSigningSecret } from '../../apps/api/src/tools/tool-secrets.js';
import { type LocalServer, startHttpServer, startTcpServer } from './local-server.js';
import { toolInvocation } from './tool-invocation.js';

export const SECRET = 'ab'.repeat(32);

/** Tool servers and what calls them, for one test file: `end` after each test, `close` after all. */
export class HttpToolBench {
  readonly signingSecret = newSigningSecret();
  readonly signingSecretSealed = sealSigningSecret(this.signingSecret, SECRET, 'ten_a', 'refund_order');
  /** What was kept from the model. */
  readonly errors: unknown[] = [];
  private readonly guard = new EgressGuard({
    allowed: 'private',
    ownPorts: new Set(),
    ownServices: [],
    exceptions: [],
  });
  private readonly servers: LocalServer[] = [];

  async serve(listener: RequestListener): Promise<LocalServer> {
    return this.remember(await startHttpServer(listener));
  }

  async serveRaw(onConnection: (socket: Socket) => void): Promise<LocalServer> {
    return this.remember(await startTcpServer(onConnection));
  }

  parts(changes: Partial<SignedCallParts> = {}): SignedCallParts {
    return {
      guard: this.guard,
      findSecrets: async () => ({ signingSecretSealed: this.signingSecretSealed, headersSealed: null }),
      secret: SECRET,
      now: Date.now,
      random: () => 0,
      onError: (error) => this.errors.push(error),
      ...changes,
    };
  }

  prepare(invocation: ToolInvocation, changes: Partial<SignedCallParts> = {}): Promise<PreparedTool> {
    const parts = this.parts(changes);
    const builtin = new BuiltinTools({}, parts.onError);
    return createToolPort({ prepareSigned: (given) => prepareSigned(parts, given), builtin }).prepare(
      invocation,
    );
  }

  async execute(
    invocation: ToolInvocation,
    signal: AbortSignal,
    changes: Partial<SignedCallParts> = {},
  ): Promise<ToolOutcome> {
    return (await this.prepare(invocation, changes)).execute(signal);
  }

  /** One call of a tool that lives on `server`, never stopped. */
  run(
    server: LocalServer,
    definition: Partial<ToolDefinition> = {},
    changes: Partial<ToolInvocation> = {},
  ): Promise<ToolOutcome> {
    const invocation = toolInvocation({ ...httpTool(server), ...definition }, changes);
    return this.execute(invocation, new AbortController().signal);
  }

  async end(): Promise<void> {
    this.errors.splice(0);
    for (const server of this.servers.splice(0)) await server.close();
  }

  close(): Promise<void> {
    return this.guard.close();
  }

  private remember(server: LocalServer): LocalServer {
    this.servers.push(server);
    return server;
  }
}

/** The part of a definition that says where the tool lives. */
export function httpTool(server: LocalServer): Pick<ToolDefinition, 'executor'> {
  return { executor: { type: 'http', url: `${server.origin}/refund?x=1` } };
}
