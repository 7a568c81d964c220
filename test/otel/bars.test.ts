/**
 * Bars of money, drawn as Grafana draws them: that of a day is the report's day, and bars of any
 * width add up to what was spent.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inBars, sum } from '../../dashboards/grafana/kit/promql.ts';
import { commandLines } from '../collector/support/command-lines.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { dashboards, panelsOf } from '../dashboards/support/pages.ts';
import type { Prometheus } from '../services/prometheus/prometheus.ts';
import { prometheusWith } from './support/backfill.ts';
import { barsOf, type Shown } from './support/grafana.ts';
import { nanoOf } from './support/totals.ts';

const daySeconds = 86_400;
const now = Math.floor(Date.now() / 1000);
const today = Math.floor(now / daySeconds) * daySeconds;
const commandLine = commandLines();
const directory = temporaryDirectory();

/** Widths of a bar that the range has room for, and one that it has not. */
const ways: readonly Pick<Shown, 'interval' | 'pointsMax'>[] = [
  { interval: '1d', pointsMax: 800 },
  { interval: '7d', pointsMax: 800 },
  { interval: '1h', pointsMax: 1_000 },
  { interval: '1h', pointsMax: 100 },
];

function queriesOf(dashboard: string, title: string): readonly string[] {
  const found = dashboards.find(({ uid }) => uid === `pi-ledger-${dashboard}`);
  const panel = found === undefined ? [] : panelsOf(found).filter((each) => each.title === title);
  return panel.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => expr ?? []));
}

async function moneyInBars(
  prometheus: Prometheus,
  queries: readonly string[],
  shown: Shown,
): Promise<ReadonlyMap<string, bigint>> {
  const money = new Map<string, bigint>();
  for (const query of queries)
    for (const { time, value } of await barsOf(prometheus, query, shown)) {
      const day = new Date(time * 1000).toISOString().slice(0, 10);
      money.set(day, (money.get(day) ?? 0n) + nanoOf(value));
    }
  return new Map([...money].filter(([, nanoUsd]) => nanoUsd > 0n));
}

function sumOf(money: ReadonlyMap<string, bigint>): bigint {
  return [...money.values()].reduce((all, nanoUsd) => all + nanoUsd, 0n);
}

describe('imported history', () => {
  const { run, env } = commandLine();
  const home = env.PI_LEDGER_HOME ?? '';
  const last20Days = { from: today - 20 * daySeconds, to: now };
  let prometheus: Prometheus;
  let reported: Readonly<Record<'metered' | 'subscription', ReadonlyMap<string, bigint>>>;

  beforeAll(async () => {
    await run('demo', '--days', '20', '--data-only', join(home, 'ledger.db'));
    // In the zone in which these charts are drawn; else a day is each spender's own.
    const byDayInUtc = ['report', '--json', '--by', 'day', '--timezone', 'UTC'];
    const { rows } = JSON.parse((await run(...byDayInUtc)).printed);
    const byDay = (field: string) =>
      new Map<string, bigint>(
        rows
          .map((row: Readonly<Record<string, string>>) => [row.day, BigInt(row[field] ?? '0')])
          .filter(([, nanoUsd]: readonly [string, bigint]) => nanoUsd > 0n),
      );
    reported = { metered: byDay('meteredNanoUsd'), subscription: byDay('subscriptionNanoUsd') };
    const text = join(home, 'history.txt');
    const since = new Date(last20Days.from * 1000).toISOString().slice(0, 10);
    const written = await run('export-openmetrics', '--since', since, '--output', text);
    expect(written).toMatchObject({ code: 0 });
    prometheus = await prometheusWith(join(home, 'prometheus'), readFileSync(text, 'utf8'));
  });
  afterAll(() => prometheus.stop());

  const [metered = '', subscription = ''] = queriesOf(
    'overview',
    'Spend: metered above the line, subscription below it',
  );

  it('the bar of each day is what the report says of it, to the nano-dollar', async () => {
    const shown = { ...last20Days, interval: '1d', pointsMax: 800 } as const;
    expect(reported.metered.size).toBeGreaterThan(10);
    expect(await moneyInBars(prometheus, [metered], shown)).toEqual(reported.metered);
    expect(await moneyInBars(prometheus, [subscription], shown)).toEqual(reported.subscription);
    const byProject = queriesOf('overview', 'Metered, by project');
    expect(await moneyInBars(prometheus, byProject, shown)).toEqual(reported.metered);
  });

  it.each(ways)(
    'bars of $interval with room for $pointsMax are all that was spent',
    async (way) => {
      const shown = { ...last20Days, ...way };
      const total = sumOf(reported.metered);
      expect(sumOf(await moneyInBars(prometheus, [metered], shown))).toBe(total);
      const byProject = queriesOf('overview', 'Metered, by project');
      expect(sumOf(await moneyInBars(prometheus, byProject, shown))).toBe(total);
    },
  );
});

describe('what came live', () => {
  const from = today - 20 * daySeconds;
  let prometheus: Prometheus;

  /** Scraped every ten minutes; the machine is off for three days, in which events wait. */
  function scraped(instance: string, first: number, begin: number, end: number): readonly string[] {
    const labels = 'pi_billing="metered",pi_project="shop",gen_ai_request_model="m"';
    const lines: string[] = [];
    for (let time = begin; time <= end; time += 600) {
      if (time > from + 5 * daySeconds && time < from + 8 * daySeconds) continue;
      const usd = first + Math.floor((time - begin) / 7_000) * 0.125;
      lines.push(
        `pi_cost_usd_total{${labels},pi_host_name="pi",instance="${instance}"} ${usd} ${time}`,
      );
    }
    return lines;
  }

  beforeAll(async () => {
    const old = scraped('old', 0, from + 7, from + 12 * daySeconds);
    // Totals that were folded anew stand where they stand: nobody spent that now.
    const anew = scraped('anew', 150, from + 12 * daySeconds + 60, today);
    const text = `# TYPE pi_cost_usd counter\n${[...old, ...anew].join('\n')}\n# EOF\n`;
    prometheus = await prometheusWith(join(directory, 'live'), text);
  });
  afterAll(() => prometheus.stop());

  it.each(ways)('bars of $interval with room for $pointsMax add up to it', async (way) => {
    const [series] = [await prometheus.samples('pi_cost_usd_total')];
    const spent = series.reduce(
      (all, { values }) => all + nanoOf(values.at(-1)?.[1] ?? '') - nanoOf(values[0]?.[1] ?? ''),
      0n,
    );
    expect(spent).toBeGreaterThan(10_000_000_000n);
    const query = sum(inBars('cost', { 'pi.billing': 'metered' }));
    const shown = { from: from - 86_400, to: now, ...way };
    expect(sumOf(await moneyInBars(prometheus, [query], shown))).toBe(spent);
  });
});
