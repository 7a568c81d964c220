/** Series that make each alert fire, and series that make none fire. */

export interface FixtureSeries {
  /** As OpenMetrics writes it. */
  readonly series: string;
  readonly start?: number;
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

const samplesADay = 24 * 12;
const model = 'gen_ai_provider_name="anthropic",gen_ai_request_model="m"';

export const fixtures: Readonly<Record<string, AlertFixture>> = {
  ModelFails: {
    minutesASample: 1,
    series: [
      { series: `pi_inference_errors_total{${model},error_type="529"}`, steps: [[60, 0.5]] },
      { series: `pi_usage_records_total{${model},pi_billing="metered"}`, steps: [[60, 1]] },
    ],
    says: 'm of anthropic fails: 15 errors in 30 minutes',
    of: { gen_ai_provider_name: 'anthropic', gen_ai_request_model: 'm' },
  },
  CompactionsFail: {
    minutesASample: 1,
    series: [
      {
        series: 'pi_compaction_count_total{pi_project="shop",pi_outcome="failed"}',
        steps: [[120, 0.1]],
      },
    ],
    says: 'Compactions fail in shop: 6 in the last hour',
    of: { pi_project: 'shop' },
  },
  CostJumps: {
    minutesASample: 5,
    series: [
      {
        series: 'pi_cost_usd_total{pi_project="shop",pi_billing="metered",instance="a/1"}',
        // $14.40 a day, then $43.20.
        steps: [
          [9 * samplesADay, 0.05],
          [samplesADay, 0.15],
        ],
      },
    ],
    says: 'Metered cost of shop jumps: 43.2 USD in 24 hours',
    of: { pi_project: 'shop', instance: 'a/1' },
  },
  SeriesHidden: {
    minutesASample: 1,
    series: [{ series: 'pi_metrics_hidden_series', start: 12, steps: [[30, 0]] }],
    says: 'The limit of series hides 12 of them',
    of: {},
  },
  OtelCollectorDown: {
    minutesASample: 1,
    series: [{ series: 'up{job="otel-collector",instance="o:8888"}', steps: [[30, 0]] }],
    says: 'Prometheus does not reach the OpenTelemetry Collector',
    of: { job: 'otel-collector', instance: 'o:8888' },
  },
};

/** Ten days in which all is well, or not bad enough. */
export const healthy: Given = {
  minutesASample: 5,
  series: [
    // A tenth of the calls fails.
    { series: `pi_inference_errors_total{${model}}`, steps: [[10 * samplesADay, 0.5]] },
    { series: `pi_usage_records_total{${model}}`, steps: [[10 * samplesADay, 5]] },
    // Two of two failed, and that was all.
    ...['pi_inference_errors_total', 'pi_usage_records_total'].map(
      (name): FixtureSeries => ({
        series: `${name}{gen_ai_request_model="rare"}`,
        steps: [
          [1, 2],
          [60, 0],
        ],
      }),
    ),
    // Aborted is not failed.
    {
      series: 'pi_compaction_count_total{pi_project="shop",pi_outcome="aborted"}',
      steps: [[10 * samplesADay, 0.5]],
    },
    // As much every day.
    {
      series: 'pi_cost_usd_total{pi_project="shop",pi_billing="metered",instance="a/1"}',
      steps: [[10 * samplesADay, 0.15]],
    },
    // The list price of what a plan covers, which nobody bills, multiplies.
    {
      series: 'pi_cost_usd_total{pi_project="plan",pi_billing="subscription",instance="a/1"}',
      steps: [
        [9 * samplesADay, 0.05],
        [samplesADay, 1],
      ],
    },
    // A project is new.
    {
      series: 'pi_cost_usd_total{pi_project="new",pi_billing="metered",instance="a/1"}',
      steps: [[2 * samplesADay, 1]],
    },
    { series: 'pi_metrics_hidden_series', steps: [[10 * samplesADay, 0]] },
    { series: 'up{job="otel-collector"}', start: 1, steps: [[10 * samplesADay, 0]] },
  ],
};

/** From the first sample to the last. */
export function minutesOf({ minutesASample, series }: Given): number {
  const samples = series.map(({ steps }) => steps.reduce((all, [count]) => all + count, 0));
  return minutesASample * Math.max(...samples);
}

/** In promtool's tests `a+bxN` is one value more than N. */
export function notationOf({ start = 0, steps }: FixtureSeries): string {
  let value = start;
  const parts = steps.map(([samples, more], index) => {
    const isFirst = index === 0;
    const from = isFirst ? value : value + more;
    value += samples * more;
    return `${rounded(from)}+${more}x${isFirst ? samples : samples - 1}`;
  });
  return parts.join(' ');
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
