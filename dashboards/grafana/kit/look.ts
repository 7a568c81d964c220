/** Colours that can be told apart on Grafana's light and dark ground, and what each means. */
import type { Threshold } from '@grafana/grafana-foundation-sdk/dashboard';

/** Metered, or measured. */
export const solid = '#2f74c0';
export const second = '#d0780f';
export const third = '#1d9480';
export const fourth = '#c56aa2';
/** What stands beside: others, failed, not known. */
export const grey = '#8b939d';
const warn = '#d98a1f';
const bad = '#e0564c';

/** Only where a figure needs somebody: `warn` from one value on, `bad` from another. */
export function limits(warnFrom: number, badFrom?: number): Threshold[] {
  return [
    { value: null, color: 'text' },
    { value: warnFrom, color: warn },
    ...(badFrom === undefined ? [] : [{ value: badFrom, color: bad }]),
  ];
}

export const noLimits: Threshold[] = [{ value: null, color: 'text' }];

export const noValue = 'n/a';
