import type { JSX } from 'preact';
import type { Change } from '../format/change.ts';
import { Marked, NotKnown } from './marks.tsx';

/** `+87 %`; a dash where nothing was before. */
export function Percent({ of }: { of: Change }): JSX.Element {
  if (of.percent === null) return <NotKnown />;
  return <Marked mark={of.share === null ? 'exact' : of.mark}>{of.percent}</Marked>;
}
