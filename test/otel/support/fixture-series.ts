/** Series of fixtures, and how they are written for those who read them. */

export interface FixtureSeries {
  /** As OpenMetrics writes it. */
  readonly series: string;
  readonly start?: number;
  /** So many samples come before the first of it. */
  readonly absent?: number;
  /** So many samples, each by so much more. */
  readonly steps: readonly (readonly [samples: number, more: number])[];
}

export interface Given {
  readonly minutesASample: number;
  readonly series: readonly FixtureSeries[];
}

export interface AlertFixture extends Given {
  /** What the alert then says, of which labels. */
  readonly says: string;
  readonly of: Readonly<Record<string, string>>;
}

/** From the first sample to the last. */
export function minutesOf({ minutesASample, series }: Given): number {
  const samples = series.map(({ absent = 0, steps }) =>
    steps.reduce((all, [count]) => all + count, absent),
  );
  return minutesASample * Math.max(...samples);
}

/** In promtool's tests `a+bxN` is one value more than N. */
export function notationOf({ start = 0, absent = 0, steps }: FixtureSeries): string {
  let value = start;
  const parts = steps.map(([samples, more], index) => {
    const isFirst = index === 0;
    const from = isFirst ? value : value + more;
    value += samples * more;
    return `${rounded(from)}+${more}x${isFirst ? samples : samples - 1}`;
  });
  return [...(absent === 0 ? [] : [`_x${absent}`]), ...parts].join(' ');
}

/** The same as values. */
export function valuesOf({ start = 0, steps }: FixtureSeries): readonly number[] {
  const values = [start];
  for (const [samples, more] of steps) {
    const from = values.at(-1) ?? start;
    for (let sample = 1; sample <= samples; sample += 1) values.push(rounded(from + sample * more));
  }
  return values;
}

const rounded = (value: number): number => Number(value.toFixed(6));
