/** PromQL queries as targets of a panel. */
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { prometheus } from './datasources.ts';

export interface Asked {
  readonly expr: string;
  /** The name of its series; labels as `{{pi_project}}`. */
  readonly legend: string;
}

/** `A`, `B`, ... */
export function refIdOf(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

/** Over time; `step` is the width of a bar. */
export function overTime(asked: readonly Asked[], step?: string): Builder<Dataquery>[] {
  return asked.map(({ expr, legend }, index) => {
    const query = queryOf(expr, legend, index).range();
    return step === undefined ? query : query.interval(step);
  });
}

/** At the end of the range. */
export function atTheEnd(asked: readonly Asked[]): Builder<Dataquery>[] {
  return asked.map(({ expr, legend }, index) => queryOf(expr, legend, index).instant());
}

/** Counts of buckets over time. */
export function asHeatmap(expr: string): Builder<Dataquery>[] {
  return [queryOf(expr, '{{le}}', 0).range().format(PromQueryFormat.Heatmap)];
}

function queryOf(expr: string, legend: string, index: number): DataqueryBuilder {
  return new DataqueryBuilder()
    .refId(refIdOf(index))
    .datasource(prometheus)
    .expr(expr)
    .legendFormat(legend);
}
