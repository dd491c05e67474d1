// Loaded before the product (node --require), it puts the process's clock off by COUNTERSIGN_CLOCK_OFF_MS. The monotonic
// clock stays as it is, as on a machine whose time is wrong.
const off = Number(process.env.COUNTERSIGN_CLOCK_OFF_MS);
if (!Number.isSafeInteger(off)) throw new Error('COUNTERSIGN_CLOCK_OFF_MS takes milliseconds');
const TrueDate = Date;

globalThis.Date = class extends TrueDate {
  constructor(/** @type {[]} */ ...given) {
    if (given.length === 0) super(TrueDate.now() + off);
    else super(...given);
  }

  static now() {
    return TrueDate.now() + off;
  }
};
