/** A number as a fraction, so that 0.1 + 0.2 is 0.3. The denominator is above zero. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

const DEEPEST = 50;
const DIGITS_SHOWN = 12;

/**
 * Works out a sum of numbers, + - * / and parentheses. Nothing is evaluated as code.
 * @throws Error with words for the model, where it is no such sum or divides by zero.
 */
export function calculate(expression: string): string {
  return decimal(new Sum(expression).whole());
}

/** A reader of one sum: a rule of its grammar each. */
class Sum {
  private readonly tokens: readonly string[];
  private position = 0;

  constructor(expression: string) {
    const tokens = expression.match(/\d+(?:\.\d+)?|\.\d+|[-+*/()]|\S/g);
    if (tokens === null) throw new Error('expression: is empty');
    this.tokens = tokens;
  }

  whole(): Fraction {
    const value = this.sum(0);
    if (this.position < this.tokens.length) throw this.unexpected();
    return value;
  }

  private sum(depth: number): Fraction {
    let value = this.product(depth);
    for (let sign = this.take('+', '-'); sign !== null; sign = this.take('+', '-')) {
      const right = this.product(depth);
      const over = sign === '+' ? right.over : -right.over;
      value = { over: value.over * right.under + over * value.under, under: value.under * right.under };
    }
    return value;
  }

  private product(depth: number): Fraction {
    let value = this.factor(depth);
    for (let sign = this.take('*', '/'); sign !== null; sign = this.take('*', '/')) {
      const right = this.factor(depth);
      value = sign === '*' ? times(value, right) : times(value, inverse(right));
    }
    return value;
  }

  private factor(depth: number): Fraction {
    if (depth > DEEPEST) throw new Error(`expression: is nested more than ${DEEPEST} deep`);
    if (this.take('-') !== null) return times({ over: -1n, under: 1n }, this.factor(depth + 1));
    if (this.take('(') !== null) {
      const value = this.sum(depth + 1);
      if (this.take(')') === null) throw this.unexpected();
      return value;
    }
    const token = this.tokens[this.position] ?? '';
    if (!/^[.\d]/.test(token)) throw this.unexpected();
    this.position += 1;
    const [before = '', behind = ''] = token.split('.');
    return { over: BigInt(before + behind), under: 10n ** BigInt(behind.length) };
  }

  private take(...signs: readonly string[]): string | null {
    const token = this.tokens[this.position];
    if (token === undefined || !signs.includes(token)) return null;
    this.position += 1;
    return token;
  }

  private unexpected(): Error {
    const token = this.tokens[this.position];
    return new Error(
      token === undefined ? 'expression: ends too early' : `expression: "${token}" is not expected there`,
    );
  }
}

function times(left: Fraction, right: Fraction): Fraction {
  return { over: left.over * right.over, under: left.under * right.under };
}

function inverse({ over, under }: Fraction): Fraction {
  if (over === 0n) throw new Error('expression: divides by zero');
  return over < 0n ? { over: -under, under: -over } : { over: under, under: over };
}

/** In decimal digits; where they do not end, rounded to twelve. */
function decimal({ over, under }: Fraction): string {
  const scale = 10n ** BigInt(DIGITS_SHOWN);
  const size = over < 0n ? -over : over;
  const rounded = (size * scale * 2n + under) / (under * 2n);
  const fraction = String(rounded % scale)
    .padStart(DIGITS_SHOWN, '0')
    .replace(/0+$/, '');
  const sign = over < 0n && rounded > 0n ? '-' : '';
  return `${sign}${rounded / scale}${fraction === '' ? '' : `.${fraction}`}`;
}
