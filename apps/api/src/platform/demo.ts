import type { Environment } from './env.js';

/** The demo's first tenant. The ids are fixed, so that every process knows whom the demo's shop is open to. */
export const DEMO_TENANT = `ten_${'dem0'.padStart(26, '0')}`;
/** The demo's second tenant: whoever is a member of one alone sees nothing of the other. */
export const NORTHWIND_TENANT = `ten_${'n0rthw1nd'.padStart(26, '0')}`;

/** Where the demo's shop is: in the API's process, on loopback. */
export function demoShopUrl({ demoShopPort }: Pick<Environment, 'demoShopPort'>): string {
  return `http://127.0.0.1:${demoShopPort}`;
}
