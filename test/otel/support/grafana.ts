/** What Grafana does with a target before it asks: variables become values. */
import type { Prometheus } from '../../services/prometheus/prometheus.ts';

const dayMs = 86_400_000;

/** What is chosen: everything, and where one project is chosen, that one. */
export interface Chosen {
  readonly project: string;
}

const windows: Readonly<Record<string, string>> = {
  $__rate_interval: '1m',
  $__range: '1h',
  $interval: '1h',
};

export function promqlOf(expr: string, { project }: Chosen): string {
  const chosen = expr
    .replaceAll('"$project"', `"${project}"`)
    .replaceAll('"$model"', '".*"')
    .replaceAll('"$host"', '".*"');
  return Object.entries(windows).reduce(
    (text, [name, value]) => text.replaceAll(name, value),
    chosen,
  );
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
