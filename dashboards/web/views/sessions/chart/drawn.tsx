import type { ComponentChildren, JSX } from 'preact';
import { hatched } from '../../../charts/hatch.tsx';
import type { Drawn, Series } from './bars.ts';

interface PathsProps {
  readonly drawn: readonly Drawn[];
  /** What a subscription covers is outlined. */
  readonly isPale?: boolean;
}

export function Paths({ drawn, isPale = false }: PathsProps): JSX.Element {
  return (
    <g>
      {drawn.map(({ series, path }) =>
        series.look === 'hatched' ? (
          <path key={series.name} d={path} fill={hatched} />
        ) : (
          <path key={series.name} d={path} class={`${series.look} ${isPale ? 'pale' : 'solid'}`} />
        ),
      )}
    </g>
  );
}

export interface LegendProps {
  readonly word: string;
  readonly all: readonly Series[];
  /** Those that occur. */
  readonly series: readonly Drawn[];
  readonly isPale?: boolean;
  readonly children?: ComponentChildren;
}

export function Legend(props: LegendProps): JSX.Element {
  const { word, all, series, isPale = false, children } = props;
  const drawn = new Set(series.map((each) => each.series.name));
  return (
    <p class="legend">
      <span>{word}</span>
      {all
        .filter(({ name }) => drawn.has(name))
        .map(({ name, look, words }) => (
          <span key={name}>
            <span
              class={`swatch ${look}${isPale && look !== 'hatched' ? ' pale' : ''}`}
              aria-hidden="true"
            />
            {words}
          </span>
        ))}
      {children}
    </p>
  );
}
