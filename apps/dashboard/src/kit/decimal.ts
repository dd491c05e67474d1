/** Amounts of money are decimal strings, and stay so: nothing here turns one into a float. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * `1234.5678` as `$1,234.57`: rounded half up to cents. Under a cent, where cents would say nothing, to two digits that
 * count: `$0.0043`. `currency` is an ISO 4217 code of a currency with two decimals.
 */
export function formatMoney(amount: string, currency: string): string {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(amount) ?? [];
  if (whole === undefined) {
    return `${amount} ${currency}`;
  }
  const zeros = /^0*$/.test(whole) ? (/^0{2,}(?=[1-9])/.exec(fraction)?.[0].length ?? 0) : 0;
  const decimals = zeros === 0 ? 2 : zeros + 2;
  const units = rounded(whole, fraction, decimals);
  const digits = units.toString().padStart(decimals + 1, '0');
  const shown = digits.slice(-decimals).replace(/(?<=^\d{2,})0+$/, '');
  return `${units === 0n ? '' : sign}${prefixOf(currency)}${grouped(digits.slice(0, -decimals))}.${shown}`;
}

/** Every digit there is, without zeros that say nothing: `$0.0123`. */
export function formatExactMoney(amount: string, currency: string): string {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(amount) ?? [];
  if (whole === undefined) {
    return `${amount} ${currency}`;
  }
  const kept = fraction.replace(/0+$/, '').padEnd(2, '0');
  return `${sign}${prefixOf(currency)}${grouped(whole)}.${kept}`;
}

/** The exact sum of decimal strings that are not negative; `0` of none. */
export function sumDecimals(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length));
  return written(
    amounts.reduce((sum, amount) => sum + unitsOf(amount, scale), 0n),
    scale,
  );
}

/** A decimal string over a whole number, to two decimals more than it has, cut off; `0` over none. */
export function shareOf(amount: string, count: number): string {
  const scale = (amount.split('.')[1] ?? '').length + 2;
  return count === 0 ? '0' : written(unitsOf(amount, scale) / BigInt(count), scale);
}

function unitsOf(amount: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function written(units: bigint, scale: number): string {
  if (scale === 0) return units.toString();
  const digits = units.toString().padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const SIGNS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£' };

const prefixOf = (currency: string): string => SIGNS[currency] ?? `${currency} `;

/** So many units of the last decimal, half a unit counting as one. */
function rounded(whole: string, fraction: string, decimals: number): bigint {
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return (fraction[decimals] ?? '0') >= '5' ? units + 1n : units;
}

/** `1234567` as `1,234,567`. */
function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}
