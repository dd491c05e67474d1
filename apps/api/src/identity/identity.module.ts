import { type DynamicModule, Module } from '@nestjs/common';
import { RateLimit } from '../platform/rate-limit.js';
import { DATABASE, type Database, PRISMA, type PrismaClient } from '../platform/tokens.js';
import { transactWith } from '../platform/transaction.js';
import { MeController } from './me.controller.js';
import { MemberRepository } from './member.repository.js';
import { MembersController } from './members.controller.js';
import type { Identity } from './open-identity.js';
import { OperatorRepository } from './operator.repository.js';
import { OperatorsController } from './operators.controller.js';
import { SIGN_IN, SignInController } from './sign-in.controller.js';
import type { SignInDependencies } from './sign-in.js';

@Module({})
class IdentityModule {}

/** People: sessions, members, the platform's operators. */
export function identityModule({ authentication }: Identity): DynamicModule {
  const signIn: SignInDependencies = { authentication, rates: new RateLimit() };
  return {
    module: IdentityModule,
    controllers: [SignInController, MeController, MembersController, OperatorsController],
    providers: [
      { provide: SIGN_IN, useValue: signIn },
      {
        provide: MemberRepository,
        useFactory: (prisma: PrismaClient) => new MemberRepository(transactWith(prisma)),
        inject: [PRISMA],
      },
      {
        provide: OperatorRepository,
        useFactory: (database: Database) => new OperatorRepository(database),
        inject: [DATABASE],
      },
    ],
  };
}
