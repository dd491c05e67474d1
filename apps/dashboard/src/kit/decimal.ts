/** Amounts of money are decimal strings, and stay so: nothing here turns one into a float. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * `1234.5678` as `$1,234.57`: rounded half up to cents. What is positive and under a cent is `<$0.01`. `currency` is an
 * ISO 4217 code of a currency with two decimals.
 */
export function formatMoney(amount: string, currency: string): string {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(amount) ?? [];
  if (whole === undefined) {
    return `${amount} ${currency}`;
  }
  const cents = roundedCents(whole, fraction);
  const prefix = SIGNS[currency] ?? `${currency} `;
  if (cents === 0n && /[1-9]/.test(fraction)) {
    return `<${prefix}0.01`;
  }
  const digits = cents.toString().padStart(3, '0');
  return `${cents === 0n ? '' : sign}${prefix}${grouped(digits.slice(0, -2))}.${digits.slice(-2)}`;
}

/** Every digit there is, without zeros that say nothing: `$0.0123`. */
export function formatExactMoney(amount: string, currency: string): string {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(amount) ?? [];
  if (whole === undefined) {
    return `${amount} ${currency}`;
  }
  const kept = fraction.replace(/0+$/, '').padEnd(2, '0');
  return `${sign}${SIGNS[currency] ?? `${currency} `}${grouped(whole)}.${kept}`;
}

const SIGNS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£' };

function roundedCents(whole: string, fraction: string): bigint {
  const cents = BigInt(whole + fraction.slice(0, 2).padEnd(2, '0'));
  return (fraction[2] ?? '0') >= '5' ? cents + 1n : cents;
}

/** `1234567` as `1,234,567`. */
function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
