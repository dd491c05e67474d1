/**
 * The code of an error of the system or of Postgres (ENOENT, 28P01), or an empty text.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function errorCode(error) {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
