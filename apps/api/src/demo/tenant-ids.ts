import type { DemoTenant } from '@countersign/examples';
import { DEMO_TENANT, NORTHWIND_TENANT } from '../platform/demo.js';

/** The ids of the demo's tenants. */
export const TENANT_IDS: Readonly<Record<DemoTenant['slug'], string>> = {
  demo: DEMO_TENANT,
  northwind: NORTHWIND_TENANT,
};
