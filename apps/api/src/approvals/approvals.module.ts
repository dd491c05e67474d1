import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.js';
import { DefinitionCatalog } from '../catalog/definitions.js';
import { ToolRepository } from '../catalog/tool.repository.js';
import { GovernanceRepository } from '../governance/governance.repository.js';
import type { Environment } from '../platform/env.js';
import type { Log } from '../platform/log.js';
import { DATABASE, type Database, ENVIRONMENT, LOG } from '../platform/tokens.js';
import { transactWith } from '../platform/transaction.js';
import { RUN_VERBS, type RunVerbs } from '../runs/run-verbs.js';
import { RunsModule } from '../runs/runs.module.js';
import { createCheck } from '../tools/check.js';
import { egressGuardFor } from '../tools/egress-guard.js';
import { ApprovalRepository } from './approval.repository.js';
import { APPROVAL_VERBS, type ApprovalVerbs } from './approval-verbs.js';
import { ApprovalsController } from './approvals.controller.js';
import { OutcomeRepository } from './outcome.repository.js';
import { OutcomesController } from './outcomes.controller.js';

/** What people decide: approvals, and outcomes that nobody knows. */
@Module({
  imports: [CatalogModule, RunsModule],
  controllers: [ApprovalsController, OutcomesController],
  providers: [
    {
      provide: ApprovalRepository,
      useFactory: (prisma: Database) => new ApprovalRepository(transactWith(prisma)),
      inject: [DATABASE],
    },
    {
      provide: OutcomeRepository,
      useFactory: (prisma: Database) => new OutcomeRepository(transactWith(prisma)),
      inject: [DATABASE],
    },
    {
      provide: APPROVAL_VERBS,
      useFactory: approvalVerbs,
      inject: [RUN_VERBS, DefinitionCatalog, ToolRepository, ApprovalRepository, DATABASE, ENVIRONMENT, LOG],
    },
  ],
})
export class ApprovalsModule {}

function approvalVerbs(
  runs: RunVerbs,
  catalog: DefinitionCatalog,
  tools: ToolRepository,
  approvals: ApprovalRepository,
  prisma: Database,
  environment: Environment,
  log: Log,
): ApprovalVerbs {
  const rules = new GovernanceRepository(prisma);
  return {
    ...runs,
    catalog,
    findApproval: (tenant, approvalId) => approvals.find(tenant, approvalId),
    policy: async (tenant) => (await rules.current(tenant)).policy,
    check: createCheck({
      guard: egressGuardFor(environment),
      findSecrets: (tenant, tool, version) => tools.findSecrets(tenant, tool, version),
      secret: environment.secret,
      now: runs.now,
      random: Math.random,
      onError: (error) => log.error({ err: error }, 'a check could not be asked'),
    }),
  };
}
