import {
  type AgentCreate,
  type AgentPut,
  agent,
  agentCreate,
  agentPut,
  name,
  type PageQuery,
  page,
  pageQuery,
} from '@countersign/contracts';
import { Controller, Inject } from '@nestjs/common';
import { z } from 'zod';
import { idPlace } from '../platform/ids.js';
import { type Page, pageRequest, toPage } from '../platform/page.js';
import { notFound } from '../platform/problem.js';
import { Body, Caller, Params, Query, Route } from '../platform/route.controller.js';
import type { TenantScope } from '../platform/tenant-context.js';
import { AgentRepository } from './agent.repository.js';
import { agentView } from './agent-view.js';
import { createAgent, replaceAgent, type SaveAgentDependencies } from './save-agent.js';

export const SAVE_AGENT = Symbol('SaveAgentDependencies');

const byName = z.object({ name });
const VERSION_PLACE = /^[0-9]{1,9}$/;
type ByName = z.output<typeof byName>;

const REFUSALS = [
  'provider_unavailable',
  'model_unpriced',
  'max_output_tokens_required',
  'provider_key_missing',
] as const;

/** `/v1/agents`: instructions, models and the tools that each may call, in immutable versions. */
@Controller()
export class AgentsController {
  constructor(
    private readonly agents: AgentRepository,
    @Inject(SAVE_AGENT) private readonly saving: SaveAgentDependencies,
  ) {}

  @Route({
    method: 'POST',
    path: '/v1/agents',
    access: 'agents:write',
    summary: 'Registers an agent.',
    body: agentCreate,
    ok: agent,
    status: 201,
    problems: [...REFUSALS, 'already_exists'],
    idempotent: {},
  })
  async create(@Caller() scope: TenantScope, @Body() body: AgentCreate): Promise<object> {
    return agentView(await createAgent(this.saving, scope, body));
  }

  @Route({
    method: 'PUT',
    path: '/v1/agents/{name}',
    access: 'agents:write',
    summary: "Makes an agent's next version. Runs under way keep theirs.",
    params: byName,
    body: agentPut,
    ok: agent,
    problems: REFUSALS,
  })
  async replace(
    @Caller() scope: TenantScope,
    @Params() { name }: ByName,
    @Body() body: AgentPut,
  ): Promise<object> {
    return agentView(await replaceAgent(this.saving, scope, name, body));
  }

  @Route({
    method: 'GET',
    path: '/v1/agents',
    access: 'agents:read',
    summary: 'Agents at their current versions, newest first.',
    query: z.strictObject(pageQuery),
    ok: page(agent),
  })
  async list(@Caller() { tenant }: TenantScope, @Query() query: PageQuery): Promise<Page<object>> {
    const request = pageRequest(tenant, query, idPlace('agt'));
    const rows = await this.agents.list(tenant, request);
    return toPage(tenant, request, rows, ({ id }) => id, agentView);
  }

  @Route({
    method: 'GET',
    path: '/v1/agents/{name}',
    access: 'agents:read',
    summary: 'An agent at its current version.',
    params: byName,
    ok: agent,
  })
  async get(@Caller() { tenant }: TenantScope, @Params() { name }: ByName): Promise<object> {
    const found = await this.agents.find(tenant, name);
    if (found === null) throw notFound('agent');
    return agentView(found);
  }

  @Route({
    method: 'GET',
    path: '/v1/agents/{name}/versions',
    access: 'agents:read',
    summary: 'Every version of an agent, newest first.',
    params: byName,
    query: z.strictObject(pageQuery),
    ok: page(agent),
  })
  async versions(
    @Caller() { tenant }: TenantScope,
    @Params() { name }: ByName,
    @Query() query: PageQuery,
  ): Promise<Page<object>> {
    const request = pageRequest(tenant, query, VERSION_PLACE);
    const rows = await this.agents.listVersions(tenant, name, request);
    if (rows === null) throw notFound('agent');
    return toPage(tenant, request, rows, ({ definition }) => String(definition.version), agentView);
  }
}
