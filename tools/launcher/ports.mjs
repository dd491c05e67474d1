import { createServer } from 'node:net';
import { errorCode } from './error-code.mjs';
import { StartError } from './say.mjs';

/** A port of the loopback address that is free now. @returns {Promise<number>} */
export function freePort() {
  return listen(0);
}

/**
 * Refuses a port that another program holds, before anything else is started.
 *
 * @param {string} variable that sets the port @param {number} port
 */
export async function refuseTakenPort(variable, port) {
  try {
    await listen(port);
  } catch (error) {
    throw new StartError(
      `${variable} is ${port}, which cannot be listened on (${errorCode(error)}); set ${variable} to a free port`,
    );
  }
}

/** @param {number} port @returns {Promise<number>} */
function listen(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
