/** Series have five colours, and one for what is left. */
export const seriesMax = 5;

export type SeriesClass = 's0' | 's1' | 's2' | 's3' | 's4' | 's5';

const classes: readonly SeriesClass[] = ['s1', 's2', 's3', 's4', 's5'];

/** By the place in the table beside the chart, which is the legend: the same order, swatches. */
export function seriesClass(index: number): SeriesClass {
  return classes[index] ?? 's0';
}
