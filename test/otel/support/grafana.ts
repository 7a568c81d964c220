/** What Grafana does with a target before it asks: variables become values. */
import type { Labels, Prometheus } from '../../services/prometheus/prometheus.ts';

const dayMs = 86_400_000;

/** What is chosen: everything, and where one project is chosen, that one. */
export interface Chosen {
  readonly project: string;
}

/** How long each of Grafana's windows is; the last hour, if nothing is said. */
interface Windows {
  readonly $__rate_interval: string;
  readonly $__range: string;
  readonly $__interval: string;
  readonly $interval: string;
}

const lastHour: Windows = {
  $__rate_interval: '1m',
  $__range: '1h',
  $__interval: '1h',
  $interval: '1h',
};

export function promqlOf(expr: string, { project }: Chosen, windows: Windows = lastHour): string {
  const chosen = expr
    .replaceAll('"$project"', `"${project}"`)
    .replaceAll('"$model"', '".*"')
    .replaceAll('"$host"', '".*"');
  return Object.entries(windows).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    chosen,
  );
}

/** What a chart is drawn for. Times in seconds. */
export interface Shown {
  readonly from: number;
  readonly to: number;
  /** The variable `interval`, which is the least width of a bar. */
  readonly interval: keyof typeof seconds;
  /** Grafana gives a chart a point for each pixel of its width. */
  readonly pointsMax: number;
}

const seconds = { '1h': 3_600, '6h': 21_600, '1d': 86_400, '7d': 604_800 };

interface Drawn {
  /** In seconds: where a bar begins. */
  readonly time: number;
  readonly labels: Labels;
  /** As Prometheus prints it. */
  readonly value: string;
}

/** The points of a chart of bars. */
export async function barsOf(
  prometheus: Prometheus,
  expr: string,
  { from, to, interval, pointsMax }: Shown,
  chosen: Chosen = { project: '.*' },
): Promise<readonly Drawn[]> {
  const step = Math.max(seconds[interval], roundedStep((to - from) / pointsMax));
  const query = promqlOf(expr, chosen, {
    $__rate_interval: `${step}s`,
    $__range: `${to - from}s`,
    $__interval: `${step}s`,
    $interval: interval,
  });
  const aligned = (time: number) => String(Math.floor(time / step) * step);
  const range = { start: aligned(from), end: aligned(to), step: String(step) };
  const data = await prometheus.ask('query_range', { query, ...range });
  const { result }: RangeAnswer = JSON.parse(JSON.stringify(data));
  return result.flatMap(({ metric, values }) =>
    values.map(([time, value]) => ({ time, labels: metric, value })),
  );
}

interface RangeAnswer {
  readonly result: readonly {
    readonly metric: Labels;
    readonly values: readonly (readonly [time: number, value: string])[];
  }[];
}

/** As Grafana rounds, from an hour on. */
function roundedStep(step: number): number {
  const hours = step / 3_600;
  if (hours < 1) return 1;
  const steps = [
    [1.5, 1],
    [2.5, 2],
    [4.5, 3],
    [9, 6],
    [24, 12],
    [168, 24],
    [504, 168],
  ] as const;
  const [, rounded = 720] = steps.find(([below]) => hours < below) ?? [];
  return rounded * 3_600;
}

/** As Grafana writes what is chosen into a regular expression. */
export function selectorOf(selector: string, { project }: Chosen): string {
  return selector.replaceAll(/\$\{project:regex\}/g, project);
}

/** Thirty days until today. */
export function urlOf(url: string, { project }: Chosen): string {
  const now = Date.now();
  const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
  const values: Readonly<Record<string, string>> = {
    '${__from:date:YYYY-MM-DD}': day(now - 30 * dayMs),
    '${__to:date:YYYY-MM-DD}': day(now),
    '${__to:date:YYYY-MM-01}': `${day(now).slice(0, 8)}01`,
    '${project:percentencode}': encodeURIComponent(project),
  };
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), url);
}

/**
 * How many numbers a panel drew in the last two minutes. One figure is asked over time, too: a
 * scrape that takes too long on a busy machine leaves a moment without any.
 */
export async function numbersOf({ ask }: Prometheus, query: string): Promise<number> {
  const now = Date.now() / 1000;
  const range = { start: String(now - 120), end: String(now), step: '20' };
  const data = JSON.stringify(await ask('query_range', { query, ...range }));
  return [...data.matchAll(/\[[\d.]+,"([^"]+)"\]/g)].filter(([, value]) =>
    Number.isFinite(Number(value)),
  ).length;
}
