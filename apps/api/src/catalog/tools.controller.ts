import type { ToolPort } from '@countersign/agent-core';
import {
  name,
  type PageQuery,
  page,
  pageQuery,
  type ToolCreate,
  type ToolPut,
  type ToolTest,
  tool,
  toolCreate,
  toolCreated,
  toolPut,
  toolSecret,
  toolTest,
  toolTestResult,
} from '@countersign/contracts';
import { Controller, Inject } from '@nestjs/common';
import { z } from 'zod';
import { idPlace } from '../platform/ids.js';
import { type Page, pageRequest, toPage } from '../platform/page.js';
import { notFound } from '../platform/problem.js';
import { Body, Caller, Params, Query, Route } from '../platform/route.controller.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { createTool, replaceTool, rotateToolSecret, type SaveToolDependencies } from './save-tool.js';
import { ToolRepository } from './tool.repository.js';
import { testView, toolView } from './tool-view.js';
import { tryTool } from './try-tool.js';

export const SAVE_TOOL = Symbol('SaveToolDependencies');
export const TOOL_PORT = Symbol('ToolPort');

const byName = z.object({ name });
type ByName = z.output<typeof byName>;

const byVersion = z.object({
  name,
  version: z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/)
    .transform(Number),
});
type ByVersion = z.output<typeof byVersion>;

/** A test is short: it ends by the tool's own time-out, whoever goes away meanwhile. */
const NEVER = new AbortController().signal;

const REFUSALS = ['executor_unavailable'] as const;

/** `/v1/tools`: what agents may be allowed to call. */
@Controller()
export class ToolsController {
  constructor(
    private readonly tools: ToolRepository,
    @Inject(SAVE_TOOL) private readonly saving: SaveToolDependencies,
    @Inject(TOOL_PORT) private readonly port: ToolPort,
  ) {}

  @Route({
    method: 'POST',
    path: '/v1/tools',
    access: 'tools:write',
    summary: 'Registers a tool. Its signing secret is in this answer only.',
    body: toolCreate,
    ok: toolCreated,
    status: 201,
    problems: [...REFUSALS, 'already_exists'],
    idempotent: { secrets: ['signingSecret'] },
  })
  async create(@Caller() scope: TenantScope, @Body() body: ToolCreate): Promise<object> {
    const { tool, signingSecret } = await createTool(this.saving, scope, body);
    return { ...toolView(tool), signingSecret };
  }

  @Route({
    method: 'PUT',
    path: '/v1/tools/{name}',
    access: 'tools:write',
    summary: "Makes a tool's next version. Runs under way keep theirs.",
    params: byName,
    body: toolPut,
    ok: tool,
    problems: REFUSALS,
  })
  async replace(
    @Caller() scope: TenantScope,
    @Params() { name }: ByName,
    @Body() body: ToolPut,
  ): Promise<object> {
    return toolView(await replaceTool(this.saving, scope, name, body));
  }

  @Route({
    method: 'GET',
    path: '/v1/tools',
    access: 'agents:read',
    summary: 'Tools at their current versions, newest first.',
    query: z.strictObject(pageQuery),
    ok: page(tool),
  })
  async list(@Caller() { tenant }: TenantScope, @Query() query: PageQuery): Promise<Page<object>> {
    const request = pageRequest(tenant, query, idPlace('tol'));
    const rows = await this.tools.list(tenant, request);
    return toPage(tenant, request, rows, ({ id }) => id, toolView);
  }

  @Route({
    method: 'GET',
    path: '/v1/tools/{name}',
    access: 'agents:read',
    summary: 'A tool at its current version.',
    params: byName,
    ok: tool,
  })
  async get(@Caller() { tenant }: TenantScope, @Params() { name }: ByName): Promise<object> {
    const found = await this.tools.find(tenant, name);
    if (found === null) throw notFound('tool');
    return toolView(found);
  }

  @Route({
    method: 'GET',
    path: '/v1/tools/{name}/versions/{version}',
    access: 'agents:read',
    summary: 'A tool as it was at one version, whether it is withdrawn or not.',
    params: byVersion,
    ok: tool,
  })
  async version(@Caller() { tenant }: TenantScope, @Params() { name, version }: ByVersion): Promise<object> {
    const found = await this.tools.findVersion(tenant, name, version);
    if (found === null) throw notFound('version of the tool');
    return toolView(found);
  }

  @Route({
    method: 'DELETE',
    path: '/v1/tools/{name}',
    access: 'tools:write',
    summary: 'Withdraws a tool: calls that are not yet intended are denied, in runs under way as well.',
    params: byName,
    ok: null,
    status: 204,
  })
  async delete(@Caller() { tenant }: TenantScope, @Params() { name }: ByName): Promise<void> {
    if (!(await this.tools.delete(tenant, name))) throw notFound('tool');
  }

  @Route({
    method: 'POST',
    path: '/v1/tools/{name}/test',
    access: 'tools:write',
    summary: 'Calls a tool once, signed as in a run, without policy and approval. Whatever it does is done.',
    params: byName,
    body: toolTest,
    ok: toolTestResult,
  })
  async test(
    @Caller() scope: TenantScope,
    @Params() { name }: ByName,
    @Body() body: ToolTest,
  ): Promise<object> {
    const call = await tryTool({ tools: this.tools, port: this.port }, scope, name, body, NEVER);
    return testView(call);
  }

  @Route({
    method: 'POST',
    path: '/v1/tools/{name}/rotate-secret',
    access: 'tools:write',
    summary: 'Gives a tool a new signing secret. It is in this answer only; the former one ends at once.',
    params: byName,
    ok: toolSecret,
  })
  async rotateSecret(@Caller() scope: TenantScope, @Params() { name }: ByName): Promise<object> {
    return { signingSecret: await rotateToolSecret(this.saving, scope, name) };
  }
}
