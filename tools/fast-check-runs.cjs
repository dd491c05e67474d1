/** How often each property is tried: FAST_CHECK_RUNS, or else fast-check's own hundred. */
const runs = Number(process.env.FAST_CHECK_RUNS ?? 0);
if (runs > 0) require('fast-check').configureGlobal({ numRuns: runs });
