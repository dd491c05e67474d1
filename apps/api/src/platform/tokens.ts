/** Names under which the parts that a process opens at its start are injected. */
export const ENVIRONMENT = Symbol('Environment');
export const LOG = Symbol('Log');
export const DATABASE = Symbol('Database');
/** What DATABASE stands for. */
export type { Database } from './database.js';
export const PRISMA = Symbol('PrismaClient');
/** What PRISMA stands for. */
export type { PrismaClient } from './generated/client.js';
export const QUEUE = Symbol('QueueAccess');
/** Who is behind a request's cookies: see people.ts. */
export const PEOPLE = Symbol('People');
export const CLOCK = Symbol('Clock');
export const READINESS_CHECKS = Symbol('ReadinessChecks');
