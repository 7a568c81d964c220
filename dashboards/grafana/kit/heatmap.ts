/** The buckets of a histogram over time. */
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/heatmap';
import { fromPrometheus, type Said, type Sized, sized } from './panel.ts';
import { asHeatmap } from './queries.ts';

export function heatmap(said: Said, expr: string, width = 12): Sized {
  const source = fromPrometheus([expr], asHeatmap(expr));
  return sized(said, source, { width, height: 8 }, () =>
    new PanelBuilder().calculate(false).hideLegend(),
  );
}
