import { inject } from 'vitest';
import type { OtelPrograms } from './global-setup.ts';

/** Throws if the lane has none: its tests then fail instead of being skipped. */
export function otelPrograms(): OtelPrograms {
  const programs = inject('otelPrograms');
  if (programs === null) throw new Error(inject('laneServer'));
  return programs;
}
