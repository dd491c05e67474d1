/**
 * Answers that are kept until they are forgotten or not used for the longest time: at most `most` of them. Who asks
 * while a read is under way shares it. Neither a failure nor an absence (null) is kept.
 */
export class RecentReads<Value> {
  private readonly kept = new Map<string, Promise<Value>>();

  constructor(private readonly most: number) {}

  get(key: string, read: () => Promise<Value>): Promise<Value> {
    const known = this.kept.get(key);
    const value = known ?? this.begin(key, read);
    // A Map keeps the order of insertion: the first is the one that was not used for the longest time.
    this.kept.delete(key);
    this.kept.set(key, value);
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest);
    return value;
  }

  forget(key: string): void {
    this.kept.delete(key);
  }

  private begin(key: string, read: () => Promise<Value>): Promise<Value> {
    const reading = read();
    const drop = () => {
      if (this.kept.get(key) === reading) this.kept.delete(key);
    };
    reading.then((value) => value ?? drop(), drop);
    return reading;
  }
}
