/**
 * The lease that rival.ts takes: short for fast tests, and longer than a busy machine delays an
 * answer.
 */
export const rivalTimes = { leaseMs: 8_000, renewEveryMs: 500, marginMs: 1_000 };
