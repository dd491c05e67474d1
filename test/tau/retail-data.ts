import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Payment {
  readonly transaction_type: 'payment' | 'refund';
  readonly amount: number;
  readonly payment_method_id: string;
}

export interface Item {
  item_id: string;
  readonly product_id: string;
  price: number;
  options: Record<string, string>;
}

export interface Order {
  readonly order_id: string;
  readonly user_id: string;
  address: Record<string, string>;
  readonly items: Item[];
  status: string;
  readonly payment_history: Payment[];
  [field: string]: unknown;
}

export interface PaymentMethod {
  readonly source: string;
  balance?: number;
}

export interface Variant {
  readonly available: boolean;
  readonly price: number;
  readonly options: Record<string, string>;
}

/** The benchmark's database. A run changes it in place. */
export interface RetailData {
  readonly orders: Record<string, Order>;
  readonly users: Record<string, { readonly payment_methods: Record<string, PaymentMethod> }>;
  readonly products: Record<string, { readonly variants: Record<string, Variant> }>;
}

export interface RetailTask {
  readonly id: string;
  readonly instruction: string;
  readonly actions: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[];
}

export interface ExpectedTask {
  readonly id: string;
  readonly canonical_sha256: string;
  readonly observations: readonly { readonly output: string; readonly is_error: boolean }[];
}

export interface RetailBenchmark {
  readonly data: RetailData;
  readonly tasks: readonly RetailTask[];
  readonly expected: ReadonlyMap<string, ExpectedTask>;
  readonly initialSha256: string;
  readonly schemas: ReadonlyMap<string, { readonly description: string; readonly parameters: object }>;
}

/** Reads one split of the benchmark from the folder of recordings. */
export function readRetail(folder: string, split: 'dev' | 'train'): RetailBenchmark {
  const read = <Value>(file: string): Value =>
    JSON.parse(readFileSync(path.join(folder, 'tau/retail', file), 'utf8')) as Value;
  const expected = read<{ initial_canonical_sha256: string; tasks: ExpectedTask[] }>(
    `expected_${split}.json`,
  );
  const tools = read<{ function: { name: string; description: string; parameters: object } }[]>('tools.json');
  return {
    data: {
      orders: read('data/orders.json'),
      users: read('data/users.json'),
      products: read('data/products.json'),
    },
    tasks: read(`tasks_${split}.json`),
    expected: new Map(expected.tasks.map((task) => [task.id, task])),
    initialSha256: expected.initial_canonical_sha256,
    schemas: new Map(tools.map((tool) => [tool.function.name, tool.function])),
  };
}

/** Digest of the whole database: keys sorted, no spaces, numbers as JavaScript writes them. */
export function canonicalSha256(data: RetailData): string {
  return createHash('sha256').update(canonical(data)).digest('hex');
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}

/** JSON as Python's json.dumps writes it. Every number of an order is money and a float there: `247.0`, not `247`. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${pythonJson(member)}`,
  );
  return `{${members.join(', ')}}`;
}
