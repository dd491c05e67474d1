const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/**
 * The stores of async context that the test file at hand has used. Jest opens one for each file and closes none, and on
 * Node 20 every promise carries all that are open: the last files of a process took three times as long as the first.
 */
const used = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function remembered(/** @type {Parameters<typeof run>} */ ...given) {
  used.add(this);
  return run.apply(this, given);
};

/** Node, and what a test file opened is closed with it. */
module.exports = class extends TestEnvironment {
  async teardown() {
    for (const store of used) store.disable();
    used.clear();
    await super.teardown();
  }
};
