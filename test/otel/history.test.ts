/** `export-openmetrics`, taken in by promtool: Prometheus holds what the report says. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLines } from '../collector/support/command-lines.ts';
import {
  dataDirectory,
  type Prometheus,
  promtool,
  startPrometheus,
} from '../services/prometheus/prometheus.ts';

const commandLine = commandLines();
const billings = {
  metered: 'meteredNanoUsd',
  subscription: 'subscriptionNanoUsd',
  unknown: 'unknownBillingNanoUsd',
} as const;

describe('history in Prometheus', () => {
  const { run, env } = commandLine();
  const home = env.PI_LEDGER_HOME ?? '';
  let prometheus: Prometheus;
  let days: readonly Readonly<Record<string, string>>[];

  const report = async (...more: string[]) =>
    JSON.parse((await run('report', '--json', ...more)).printed);
  const totalOf = (figures: Readonly<Record<string, string>>, billing: keyof typeof billings) =>
    BigInt(figures[billings[billing]] ?? 0);

  beforeAll(async () => {
    await run('demo', '--days', '20', '--data-only', join(home, 'ledger.db'));
    days = (await report('--by', 'day')).rows;
    const text = join(home, 'history.txt');
    const written = await run(
      ...['export-openmetrics', '--since', days[2]?.day ?? '', '--until', days[15]?.day ?? ''],
      ...['--output', text],
    );
    expect(written).toMatchObject({ code: 0 });
    const own = join(home, 'prometheus');
    const blocks = ['--max-block-duration=720h', 'openmetrics', text, dataDirectory(own)];
    await promtool('tsdb', 'create-blocks-from', ...blocks);
    prometheus = await startPrometheus(own, { targets: [] });
  });
  afterAll(() => prometheus.stop());

  /** Each series' last sample less its first: integers of 10^-digits. */
  async function grown(selector: string, digits: number): Promise<bigint> {
    const series = await prometheus.samples(selector);
    const nano = (value = '') => BigInt(Math.round(Number(value) * 10 ** digits));
    return series.reduce(
      (sum, { values }) => sum + nano(values.at(-1)?.[1]) - nano(values[0]?.[1]),
      0n,
    );
  }

  it('costs by billing are those of the report, to the nano-dollar', async () => {
    const period = ['--since', days[2]?.day ?? '', '--until', days[15]?.day ?? ''];
    const { total } = await report(...period);
    for (const billing of ['metered', 'subscription', 'unknown'] as const)
      expect([billing, await grown(`pi_cost_usd_total{pi_billing="${billing}"}`, 9)]).toEqual([
        billing,
        totalOf(total, billing),
      ]);
    expect(totalOf(total, 'metered')).toBeGreaterThan(0n);
    expect(totalOf(total, 'subscription')).toBeGreaterThan(0n);
  });

  it('tokens and records are those of the report', async () => {
    const period = ['--since', days[2]?.day ?? '', '--until', days[15]?.day ?? ''];
    const { total } = await report(...period);
    const { inputTokens, cacheReadTokens, cacheWriteTokens } = total;
    const usage = 'gen_ai_client_inference_usage';
    const found = {
      input: await grown(`${usage}_input_tokens_total`, 0),
      cacheRead: await grown(`${usage}_cache_read_input_tokens_total`, 0),
      output: await grown(`${usage}_output_tokens_total`, 0),
      records: await grown('pi_usage_records_total', 0),
    };
    expect(found).toEqual({
      input: BigInt(inputTokens + cacheReadTokens + cacheWriteTokens),
      cacheRead: BigInt(cacheReadTokens),
      output: BigInt(total.outputTokens),
      records: BigInt(total.records),
    });
  });

  it('each series begins at zero, never falls, and names itself history', async () => {
    const series = await prometheus.samples('{job="pi-ledger/agents"}');
    expect(series.length).toBeGreaterThan(50);
    for (const { labels, values } of series) {
      const amounts = values.map(([, value]) => Number(value));
      expect(amounts[0]).toBe(0);
      expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
      expect(labels.instance).toMatch(/^history\//);
    }
  });

  it('the query of the docs gives what a range of whole hours held', async () => {
    const hours = (await report('--by', 'hour', '--since', days[4]?.day ?? '')).rows;
    const { hour, meteredNanoUsd } = hours.find(
      (row: Readonly<Record<string, string>>) => BigInt(row.meteredNanoUsd ?? 0) > 0n,
    );
    const cost = 'pi_cost_usd_total{pi_billing="metered"}';
    const end = Date.parse(hour) / 1000 + 3_600;
    const [found] = await prometheus.query(
      `sum(max_over_time(${cost}[1h] @ ${end}) - min_over_time(${cost}[1h] @ ${end}))`,
    );
    expect(Math.round(Number(found?.value) * 1e9)).toBe(Number(meteredNanoUsd));
  });
});
