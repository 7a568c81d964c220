/** The series of a chart by name, where no table beside it has them. */
import type { JSX } from 'preact';
import { seriesClass, seriesMax } from '../charts/colours.ts';
import { Name } from './name.tsx';

export function SeriesNames({ names }: { names: readonly (string | null)[] }): JSX.Element {
  return (
    <>
      {names.slice(0, seriesMax).map((name, index) => (
        <span key={name}>
          <span class={`swatch ${seriesClass(index)}`} />
          <Name of={name} />
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
