const [LF, CR] = [0x0a, 0x0d];

/** Finds where the events of a stream end (WHATWG HTML, 9.2), looking at each byte once. */
export class EventEnds {
  private isBlankLine = true;
  private previous = 0;
  /** A blank line ended with CR, and an LF right after it would belong to it. */
  private isPending = false;

  /** Positions behind the last byte of each event that ends in these bytes; 0 where it ended with the bytes before. */
  within(bytes: Uint8Array): readonly number[] {
    const ends: number[] = [];
    for (const [at, byte] of bytes.entries()) {
      const isPair = byte === LF && this.previous === CR;
      this.previous = byte;
      if (this.isPending) ends.push(isPair ? at + 1 : at);
      this.isPending = false;
      if (isPair) continue;
      const isBreak = byte === LF || byte === CR;
      if (isBreak && this.isBlankLine) {
        if (byte === LF) ends.push(at + 1);
        else this.isPending = true;
      }
      this.isBlankLine = isBreak;
    }
    return ends;
  }
}
