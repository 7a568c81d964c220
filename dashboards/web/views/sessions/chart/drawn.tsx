import type { ComponentChildren, JSX } from 'preact';
import type { BillingStyle } from '../../../charts/billing-look.ts';
import { hatched } from '../../../charts/hatch.tsx';
import type { Drawn, Series } from './bars.ts';

interface PathsProps {
  readonly drawn: readonly Drawn[];
  /** As bars of that kind of money look. Default: solid. */
  readonly style?: BillingStyle;
}

export function Paths({ drawn, style = 'solid' }: PathsProps): JSX.Element {
  return (
    <g>
      {drawn.map(({ series, path }) =>
        series.look === 'hatched' ? (
          <path key={series.name} d={path} fill={hatched} />
        ) : (
          <path key={series.name} d={path} class={`${series.look} ${style}`} />
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
  readonly style?: BillingStyle;
  readonly children?: ComponentChildren;
}

export function Legend(props: LegendProps): JSX.Element {
  const { word, all, series, style = 'solid', children } = props;
  const drawn = new Set(series.map((each) => each.series.name));
  return (
    <p class="legend">
      <span>{word}</span>
      {all
        .filter(({ name }) => drawn.has(name))
        .map(({ name, look, words }) => (
          <span key={name}>
            <span class={`swatch ${look} ${look === 'hatched' ? '' : style}`} aria-hidden="true" />
            {words}
          </span>
        ))}
      {children}
    </p>
  );
}
