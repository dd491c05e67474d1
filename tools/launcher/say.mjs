/** A fault whose cause the operator can mend: shown as one line, without a stack. */
export class StartError extends Error {
  /** @override */
  name = 'StartError';
}

/** @param {string} line one line for the person at the terminal */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs an entry and ends the process with its exit code; a StartError is shown as one line and exits with 1.
 *
 * @param {() => Promise<number>} entry resolves to the exit code
 */
export async function run(entry) {
  try {
    process.exit(await entry());
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exit(1);
  }
}

/** @param {unknown} error */
function describe(error) {
  if (error instanceof StartError) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
