/** What every panel has: a title, what it shows, from where, what is left out. */
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import type {
  DashboardLink,
  GridPos,
  Panel,
  Threshold,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { ledger, prometheus } from './datasources.ts';
import type { ApiQuery } from './infinity.ts';
import { linkTo, type View } from './links.ts';
import { followed, isExtrapolated, metricsIn } from './promql.ts';

/** What a panel says of itself. */
export interface Said {
  readonly title: string;
  /** What it shows, a sentence. */
  readonly shows: string;
  /** What is in no figure of it, a sentence. */
  readonly leftOut?: string;
  /** It is one of Grafana's: `currencyUSD`, `s`, `percentunit`, `short`. */
  readonly unit?: string;
  readonly decimals?: number;
  /** What stands there without data: why, and one step. */
  readonly noData?: string;
  readonly thresholds?: readonly Threshold[];
  /** Where the built-in page shows the same. */
  readonly page?: View;
}

/** A panel whose place is not known yet; the grid has 24 columns. */
export interface Sized {
  readonly width: number;
  readonly height: number;
  at(id: number, place: GridPos): Panel;
}

/** The methods that all of the SDK's panels share. */
interface CommonBuilder extends Builder<Panel> {
  id(id: number): this;
  title(title: string): this;
  description(description: string): this;
  transparent(transparent: boolean): this;
  gridPos(place: GridPos): this;
  unit(unit: string): this;
  decimals(decimals: number): this;
  noValue(text: string): this;
  links(links: Builder<DashboardLink>[]): this;
  datasource(datasource: typeof ledger): this;
  targets(targets: Builder<Dataquery>[]): this;
}

export interface Source {
  readonly datasource: typeof ledger;
  readonly targets: Builder<Dataquery>[];
  /** Where the figures come from, a sentence. */
  readonly told: string;
  /** Without data. */
  readonly noData: string;
}

export function fromLedger(query: ApiQuery): Source {
  const follows = ['project', 'model', 'host'].filter((name) =>
    `${query.url}${query.root}`.includes(`{${name}:`),
  );
  return {
    datasource: ledger,
    targets: [query.target],
    told: `Exact, from the ledger: GET ${withoutVariables(query.url)}. ${following(follows)}`,
    noData: 'The ledger has nothing that fits: take a longer range.',
  };
}

export function fromPrometheus(exprs: readonly string[], targets: Builder<Dataquery>[]): Source {
  const names = [...new Set(exprs.flatMap(metricsIn))];
  const follows = [...new Set(exprs.flatMap(followed))];
  const how = exprs.some(isExtrapolated) ? ', which extrapolates' : '';
  return {
    datasource: prometheus,
    targets,
    told: `Live, from Prometheus${how}: ${names.join(', ')}. ${following(follows)}`,
    noData: 'Nothing arrived in this range: does the collector export metrics?',
  };
}

function withoutVariables(url: string): string {
  return url.replaceAll(/=\$\{[^}]*\}/g, '=...');
}

function following(names: readonly string[]): string {
  if (names.length === 0) return 'Follows no filter but the range.';
  return `Follows: ${names.join(', ')}.`;
}

/** Gives a panel of the SDK its words and its place. */
export function sized<Built extends CommonBuilder>(
  said: Said,
  source: Source,
  size: { readonly width: number; readonly height: number },
  builder: () => Built,
): Sized {
  return {
    ...size,
    at: (id, place) => {
      const panel = builder()
        .id(id)
        .title(said.title)
        .description(descriptionOf(said, source))
        .transparent(true)
        .gridPos(place)
        .datasource(source.datasource)
        .targets(source.targets)
        .noValue(said.noData ?? source.noData);
      if (said.unit !== undefined) panel.unit(said.unit);
      if (said.decimals !== undefined) panel.decimals(said.decimals);
      if (said.page !== undefined) panel.links([linkTo(said.page)]);
      return panel.build();
    },
  };
}

function descriptionOf({ shows, leftOut }: Said, { told }: Source): string {
  const missing =
    leftOut === undefined ? 'Left out: nothing that is known.' : `Left out: ${leftOut}`;
  return [shows, missing, told].join('\n\n');
}
