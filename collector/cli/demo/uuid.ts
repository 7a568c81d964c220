import type { Random } from './random.ts';

/** The first 48 bits are the time; the rest comes from the seed. */
export function demoUuid(version: 7 | 8, timeMs: number, random: Random): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const head = `${time.slice(0, 8)}-${time.slice(8)}`;
  return `${head}-${version}${random.hex(3)}-8${random.hex(3)}-${random.hex(12)}`;
}
