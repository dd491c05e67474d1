import { testDataFolder } from './wire-data.js';

/** Tests over the folder of recordings; where there is none they say so, and are skipped. */
export function describeRecorded(name: string, tests: (folder: string) => void): void {
  const folder = testDataFolder();
  describe(name, () => {
    if (folder === null)
      it.skip('skipped: COUNTERSIGN_TEST_DATA names no folder of recordings', () => undefined);
    else tests(folder);
  });
}
