#!/usr/bin/env node
// Prints what a JSON report of Jest counted, as one line; exits with 1 when anything failed or there is no report.
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, numRuntimeErrorTestSuites: number }} Report
 */

/** @param {string} file @returns {Report | undefined} */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const report = read(process.argv[2] ?? '');
const passed = report?.numPassedTests ?? 0;
const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
// A file that cannot be run has no tests to count, and a run without a report says nothing: each is one failure.
const failed = report === undefined ? 1 : report.numFailedTests + report.numRuntimeErrorTestSuites;

console.log(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
process.exit(failed === 0 ? 0 : 1);
