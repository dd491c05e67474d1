import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '../platform/tokens.js';
import { KeysController } from './keys.controller.js';
import { TenantRepository } from './tenant.repository.js';
import { TenantsController } from './tenants.controller.js';

/** Tenants and their keys. */
@Module({
  controllers: [TenantsController, KeysController],
  providers: [
    {
      provide: TenantRepository,
      useFactory: (database: Database) => new TenantRepository(database),
      inject: [DATABASE],
    },
  ],
})
export class TenancyModule {}
