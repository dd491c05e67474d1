import type { ToolPort } from '@countersign/agent-core';
import { Module } from '@nestjs/common';
import { CatalogModule, TOOL_PORT } from '../catalog/catalog.module.js';
import { DefinitionCatalog } from '../catalog/definitions.js';
import { GovernanceRepository } from '../governance/governance.repository.js';
import { DATABASE, type Database, PRISMA, type PrismaClient } from '../platform/tokens.js';
import { transactWith } from '../platform/transaction.js';
import { RUN_VERBS, type RunVerbs } from '../runs/run-verbs.js';
import { RunsModule } from '../runs/runs.module.js';
import { ApprovalRepository } from './approval.repository.js';
import { APPROVAL_VERBS, type ApprovalVerbs } from './approval-verbs.js';
import { ApprovalsController } from './approvals.controller.js';
import { OutcomeRepository } from './outcome.repository.js';
import { OutcomesController } from './outcomes.controller.js';
import { PrecedentRepository } from './precedent.repository.js';

const REPOSITORIES = [ApprovalRepository, PrecedentRepository, OutcomeRepository].map((Repository) => ({
  provide: Repository,
  useFactory: (prisma: PrismaClient) => new Repository(transactWith(prisma)),
  inject: [PRISMA],
}));

/** What people decide: approvals, and outcomes that nobody knows. */
@Module({
  imports: [CatalogModule, RunsModule],
  controllers: [ApprovalsController, OutcomesController],
  providers: [
    ...REPOSITORIES,
    {
      provide: APPROVAL_VERBS,
      useFactory: approvalVerbs,
      inject: [RUN_VERBS, DefinitionCatalog, TOOL_PORT, ApprovalRepository, DATABASE],
    },
  ],
})
export class ApprovalsModule {}

function approvalVerbs(
  runs: RunVerbs,
  catalog: DefinitionCatalog,
  port: ToolPort,
  approvals: ApprovalRepository,
  database: Database,
): ApprovalVerbs {
  const rules = new GovernanceRepository(database);
  return {
    ...runs,
    catalog,
    findApproval: (tenant, approvalId) => approvals.find(tenant, approvalId),
    policy: async (tenant) => (await rules.current(tenant)).policy,
    tools: port,
  };
}
