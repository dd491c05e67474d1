import { setTimeout as passed } from 'node:timers/promises';
import { answered, type ToolRoutes } from '../tool-route.js';

export const machineRoutes: ToolRoutes = {
  '/look': async ({ arguments: { n, delay_ms } }) => {
    await passed(Number(delay_ms ?? 0));
    return answered({ seen: n });
  },
  '/act': ({ arguments: { n } }) => answered({ done: n }),
};
