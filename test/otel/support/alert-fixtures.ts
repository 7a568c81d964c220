/** Series that make each alert fire, and series that make none fire. */
import { budgetAt, collector, collectorLabels, gauge } from './alert-fixture.ts';
import type { AlertFixture, FixtureSeries, Given } from './fixture-series.ts';
import { spoolSeries } from './spool-minutes.ts';

const samplesADay = 24 * 12;
const model = 'gen_ai_provider_name="anthropic",gen_ai_request_model="m"';

export const fixtures: Readonly<Record<string, AlertFixture>> = {
  CollectorGone: {
    minutesASample: 1,
    series: [
      // It was there for two minutes.
      { series: `pi_ledger_leader{${collector}}`, start: 1, steps: [[2, 0]] },
      { series: 'up{job="otel-collector"}', start: 1, steps: [[60, 0]] },
    ],
    says: 'The ledger tells nothing of itself any more',
    of: {},
  },
  NobodyLeads: {
    minutesASample: 1,
    series: [
      { series: `pi_ledger_leader{${collector}}`, steps: [[30, 0]] },
      { series: 'pi_ledger_leader{job="pi-ledger/collector",instance="q"}', steps: [[30, 0]] },
    ],
    says: 'All collectors are on standby: none writes',
    of: { job: 'pi-ledger/collector' },
  },
  NotReady: gauge('pi_ledger_ready', {}, 0, 'p cannot do its work'),
  EventsDropped: gauge(
    'pi_ledger_producers_dropped',
    { pi_ledger_reason: 'spoolFull' },
    7,
    '7 events could not be recorded: spoolFull',
  ),
  ProducerSilent: {
    minutesASample: 1,
    series: await spoolSeries({
      ...{ samples: 61, minutesASample: 1, labels: collector },
      ships: false,
    }),
    says: '1 producers send nothing, while their spool grows',
    of: collectorLabels,
  },
  EventsRejected: gauge('pi_ledger_dead_letters', {}, 3, '3 rejected events wait for a decision'),
  RejectedEventsLost: {
    minutesASample: 1,
    series: [{ series: `pi_ledger_dead_letters_lost_total{${collector}}`, steps: [[60, 1]] }],
    says: 'Rejected events were lost, since there was no room to keep them',
    of: collectorLabels,
  },
  ViewLags: gauge(
    'pi_ledger_view_lag',
    { pi_ledger_view: 'sessions' },
    25_000,
    'The view sessions is 25000 events behind',
  ),
  ViewLacksEvents: gauge(
    'pi_ledger_view_set_aside',
    { pi_ledger_view: 'sessions' },
    1,
    'The view sessions lacks 1 events that it could not fold',
  ),
  ExportFails: gauge(
    'pi_ledger_subscriber_failing',
    { pi_ledger_subscriber: 'traces' },
    1,
    'The exporter traces does not advance',
  ),
  ExportLags: gauge(
    'pi_ledger_subscriber_lag',
    { pi_ledger_subscriber: 'traces' },
    25_000,
    'The exporter traces is 25000 events behind',
  ),
  ExportLoses: {
    minutesASample: 1,
    series: [
      {
        series:
          'pi_ledger_subscriber_lost_total{' +
          `${collector},pi_ledger_subscriber="traces",pi_ledger_reason="refused"}`,
        steps: [[60, 1]],
      },
    ],
    says: 'The exporter traces lost something: refused',
    of: { ...collectorLabels, pi_ledger_subscriber: 'traces', pi_ledger_reason: 'refused' },
  },
  OtelCollectorDown: {
    minutesASample: 1,
    series: [{ series: 'up{job="otel-collector",instance="o:8888"}', steps: [[30, 0]] }],
    says: 'Prometheus does not reach the OpenTelemetry Collector',
    of: { job: 'otel-collector', instance: 'o:8888' },
  },
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
  BudgetNearsLimit: budgetAt('shop', 1, 0.85, 'Budget shop nears its limit: 85 % is used'),
  BudgetOver: budgetAt('shop', 2, 1.042, 'Budget shop is over: 104.2 % of its limit is used'),
};

/** A project is new in the last of nine days, and costs $43.20 in it. */
export const newProject: AlertFixture = {
  minutesASample: 5,
  series: [
    {
      series: 'pi_cost_usd_total{pi_project="shop",pi_billing="metered",instance="a/1"}',
      steps: [[9 * samplesADay, 0.05]],
    },
    {
      series: 'pi_cost_usd_total{pi_project="new",pi_billing="metered",instance="a/1"}',
      absent: 8 * samplesADay,
      steps: [[samplesADay, 0.15]],
    },
  ],
  says: 'Metered cost of new jumps: 43.2 USD in 24 hours',
  of: { pi_project: 'new', instance: 'a/1' },
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
    // A project is new, and costs little.
    {
      series: 'pi_cost_usd_total{pi_project="new",pi_billing="metered",instance="a/1"}',
      absent: 4 * samplesADay,
      steps: [[6 * samplesADay, 0.05]],
    },
    // A ledger is new, and takes in the sessions of a year.
    {
      series: 'pi_cost_usd_total{pi_project="shop",pi_billing="metered",instance="b/1"}',
      absent: 5 * samplesADay,
      steps: [
        [1, 900],
        [5 * samplesADay - 1, 0.01],
      ],
    },
    { series: 'pi_metrics_hidden_series', steps: [[10 * samplesADay, 0]] },
    { series: 'up{job="otel-collector"}', start: 1, steps: [[10 * samplesADay, 0]] },
    // One collector leads, another stands by.
    { series: `pi_ledger_leader{${collector}}`, start: 1, steps: [[10 * samplesADay, 0]] },
    { series: `pi_ledger_ready{${collector}}`, start: 1, steps: [[10 * samplesADay, 0]] },
    {
      series: 'pi_ledger_leader{job="pi-ledger/collector",instance="q"}',
      steps: [[10 * samplesADay, 0]],
    },
    // A producer sends what it writes.
    ...(await spoolSeries({
      ...{ samples: 10 * samplesADay, minutesASample: 5, labels: 'instance="q"' },
      ships: true,
    })),
    // A machine is off, and its events wait.
    ...[
      ['pi_ledger_producers_silent{instance="p"}', 1, 0],
      ['pi_ledger_spool_size_bytes{instance="p"}', 5000, 0],
      ['pi_ledger_producers_dropped{pi_ledger_reason="spoolFull"}', 0, 0],
      ['pi_ledger_dead_letters', 0, 0],
      // Those of last year.
      ['pi_ledger_dead_letters_lost_total', 9, 0],
      ['pi_ledger_view_lag{pi_ledger_view="sessions"}', 900, 0],
      ['pi_ledger_view_set_aside{pi_ledger_view="sessions"}', 0, 0],
      ['pi_ledger_subscriber_lag{pi_ledger_subscriber="traces"}', 900, 0],
      ['pi_ledger_subscriber_failing{pi_ledger_subscriber="traces"}', 0, 0],
      // Half of it is used, and its period goes on.
      ['pi_budget_state{pi_budget_name="shop"}', 0, 0],
      ['pi_budget_utilization_ratio{pi_budget_name="shop"}', 0.5, 0],
    ].map(
      ([series, start, more]): FixtureSeries => ({
        series: String(series),
        start: Number(start),
        steps: [[10 * samplesADay, Number(more)]],
      }),
    ),
  ],
};
