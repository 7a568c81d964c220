/**
 * Series without a label, or with the word that stands for it, and series of which only one side of
 * a share is there: every panel by a label says something of each.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { dashboards, panelsOf } from '../dashboards/support/pages.ts';
import type { Prometheus } from '../services/prometheus/prometheus.ts';
import { prometheusWith } from './support/backfill.ts';
import { barsOf, promqlOf } from './support/grafana.ts';

const directory = temporaryDirectory();
const hour = 3_600;
const end = Math.floor(Date.now() / 1000 / hour) * hour;
let prometheus: Prometheus;

const host = 'pi_host_name="pi"';
const model = (name: string) => `${host},gen_ai_request_model="${name}"`;
const usage = 'gen_ai_client_inference_usage';

/** What each series grows by in a minute, for two hours. */
const growth: Readonly<Record<string, number>> = {
  // Cached at one, not at the other; the third only failed, the fourth never.
  [`${usage}_input_tokens_total{${model('cached')}}`]: 100,
  [`${usage}_cache_read_input_tokens_total{${model('cached')}}`]: 25,
  [`${usage}_input_tokens_total{${model('plain')}}`]: 100,
  [`${usage}_output_tokens_total{${model('plain')}}`]: 10,
  [`pi_inference_errors_total{${model('fails')},error_type="529"}`]: 1,
  [`gen_ai_client_inference_duration_seconds_count{${model('holds')}}`]: 1,
  [`pi_inference_errors_total{${model('mixed')},error_type="529"}`]: 1,
  [`gen_ai_client_inference_duration_seconds_count{${model('mixed')}}`]: 3,
};

/** Metrics of every panel that has a label, once without it and once with its word. */
const labels = {
  pi_cost_usd_total: 'pi_project',
  pi_compaction_count_total: 'pi_compaction_trigger',
  pi_inference_retries_total: 'gen_ai_request_model',
  pi_tool_calls_total: 'gen_ai_tool_name',
} as const;

beforeAll(async () => {
  const billed = 'pi_billing="metered"';
  const all: Record<string, number> = { ...growth };
  for (const [name, label] of Object.entries(labels)) {
    all[`${name}{${host},${billed}}`] = 1;
    all[`${name}{${host},${billed},${label}="unknown"}`] = 2;
  }
  const lines = Object.entries(all).flatMap(([series, more]) =>
    Array.from({ length: 121 }, (_, minute) => {
      const time = end - 2 * hour + minute * 60;
      return `${series} ${minute * more} ${time}`;
    }),
  );
  prometheus = await prometheusWith(directory, `${lines.join('\n')}\n# EOF\n`);
});
afterAll(() => prometheus.stop());

function queriesOf(title: string): readonly string[] {
  const panels = dashboards.flatMap(panelsOf).filter((panel) => panel.title === title);
  expect(panels.length, title).toBeGreaterThan(0);
  return panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => expr ?? []));
}

/** The last value of each line, by the label. */
async function lastOf(title: string): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const query of queriesOf(title)) {
    const asked = promqlOf(query, { project: '.*' });
    const parameters = { query: asked, time: String(end) };
    const data = JSON.stringify(await prometheus.ask('query', parameters));
    const { result } = JSON.parse(data);
    for (const { metric, value } of result)
      found[metric.gen_ai_request_model ?? ''] = Number(value[1]);
  }
  return found;
}

describe('a label that is absent and a label that says so', () => {
  const inAnHour = { from: end - hour, to: end - 1, interval: '1h', pointsMax: 800 } as const;

  it.each([
    ['Metered, by project', { pi_project: 'unknown' }],
    ['Compactions, by trigger', { pi_compaction_trigger: 'unknown' }],
    ['Retries that hosts announced', { gen_ai_request_model: 'unknown' }],
    ['Tool calls', { gen_ai_tool_name: 'unknown' }],
  ])('are one bar of %s', async (title, expected) => {
    const [query = ''] = queriesOf(title);
    expect(await barsOf(prometheus, query, inAnHour)).toEqual([
      { time: end - hour, labels: expected, value: '180' },
    ]);
  });
});

describe('a share of which one side is absent', () => {
  it('is nothing from the cache where nothing was read from it', async () => {
    expect(await lastOf('Input from the cache, by model')).toEqual({ cached: 0.25, plain: 0 });
  });

  it('is no reasoning where nobody tells of it', async () => {
    expect(await lastOf('Reasoning in the output')).toEqual({ plain: 0 });
  });

  it('is all or nothing where a model only failed, or never did', async () => {
    const shares = await lastOf('Share of answers that failed, by model');
    expect(shares).toEqual({ fails: 1, holds: 0, mixed: 0.25 });
  });
});
