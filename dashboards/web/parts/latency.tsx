import type { Percentile } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatLatency } from '../format/latency.ts';
import { Marked, None } from './marks.tsx';

/** Estimated within a bucket of a histogram, or at least its last bound. Null: nothing measured. */
export function Latency({ of }: { of: Percentile | null }): JSX.Element {
  if (of === null) return <None />;
  return (
    <Marked mark={of.is === 'at least' ? 'atLeast' : 'estimated'}>{formatLatency(of.ms)}</Marked>
  );
}
