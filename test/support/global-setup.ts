import { publishSharedDashboard, startDashboard } from './dashboard';
import type { ServerProcess } from './server-process';
import { publishSharedStack, type Stack, startStack } from './stack';

declare global {
  // Jest runs setup and teardown in one process and gives them nothing else in common.
  var countersignTestStack: Stack | undefined;
  var countersignTestDashboard: ServerProcess | undefined;
}

/**
 * Starts the stack that all system tests share, and the dashboard on it. Imports of this file and of what it reaches
 * carry no `.js`: Jest loads global hooks without its module mapper.
 */
export default async function globalSetup(): Promise<void> {
  const stack = await startStack();
  globalThis.countersignTestStack = stack;
  publishSharedStack(stack);
  // Jest tears nothing down where this throws.
  const dashboard = await startDashboard(stack.apiUrl).catch(async (error: unknown) => {
    await stack.stop();
    throw error;
  });
  globalThis.countersignTestDashboard = dashboard;
  publishSharedDashboard(dashboard);
}
