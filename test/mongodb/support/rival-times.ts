/**
 * The lease that rival.ts takes: short, so that a test need not wait long, and longer than a busy
 * machine keeps an answer waiting.
 */
export const rivalTimes = { leaseMs: 4_000, renewEveryMs: 500, marginMs: 1_000 };
