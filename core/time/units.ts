/** Lengths of time, in ms. A day is that of UTC: those of people may have 23 or 25 hours. */
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
