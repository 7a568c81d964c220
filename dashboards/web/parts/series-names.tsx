/** The series of a chart by name, where no table beside it has them. */
import type { JSX } from 'preact';
import { seriesClass, seriesMax } from '../charts/colours.ts';
import { nameless, type SeriesBy } from '../charts/spend-series.ts';
import { Name } from './name.tsx';

export interface SeriesNamesProps {
  readonly names: readonly (string | null)[];
  readonly by: SeriesBy;
}

export function SeriesNames({ names, by }: SeriesNamesProps): JSX.Element {
  return (
    <>
      {names.slice(0, seriesMax).map((name, index) => (
        <span key={name}>
          <span class={`swatch ${seriesClass(index)}`} />
          <Name of={name} unknown={nameless(by)} />
        </span>
      ))}
      {names.length > seriesMax && (
        <span>
          <span class="swatch s0" />
          other
        </span>
      )}
    </>
  );
}
