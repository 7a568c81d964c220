/** Names of every awkward character: promtool takes what we write, with each name in it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../collector/config/config.ts';
import { openLedger } from '../../collector/main.ts';
import { awkwardEvents, awkwardNames } from '../collector/support/awkward-names.ts';
import { commandLines } from '../collector/support/command-lines.ts';
import { startPrometheus } from '../services/prometheus/prometheus.ts';
import { prometheusWith } from './support/backfill.ts';

const commandLine = commandLines();
const { run, env, start } = commandLine();
const home = env.PI_LEDGER_HOME ?? '';
const waiting = { timeout: 30_000, interval: 100 };
/** As UTF-8 keeps them. */
const names = new Set(awkwardNames.map((name) => name.toWellFormed()));

beforeAll(async () => {
  const ledger = await openLedger(loadCollectorConfig(env));
  const ack = await ledger.ingest.accept(awkwardEvents());
  expect(ack.rejected).toEqual([]);
  await ledger.close();
});

it('export-openmetrics: each series of each name is in Prometheus', async () => {
  const file = join(home, 'history.txt');
  const written = await run('export-openmetrics', '--since', '2026-11-01', '--output', file);
  expect(written).toMatchObject({ code: 0 });
  const prometheus = await prometheusWith(join(home, 'p'), readFileSync(file, 'utf8'));
  const series = await prometheus.samples('pi_cost_usd_total').finally(() => prometheus.stop());
  expect(new Set(series.map(({ labels }) => labels.gen_ai_request_model))).toEqual(names);
  expect(new Set(series.map(({ labels }) => labels.pi_project))).toEqual(names);
});

it('/metrics: a scrape has each name', async () => {
  const { url } = await start();
  const prometheus = await startPrometheus(join(home, 'scrapes'), {
    targets: [{ job: 'ledger', address: new URL(url).host }],
  });
  try {
    await expect
      .poll(async () => {
        const found = await prometheus.query('pi_cost_usd_total');
        return new Set(found.map(({ labels }) => labels.pi_project));
      }, waiting)
      .toEqual(names);
  } finally {
    await prometheus.stop();
  }
});
