/** `export --focus` and `--parquet`: files that add up to what `report` says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, it } from 'vitest';
import { usage } from '../../../collector/projections/usage.ts';
import { rowDimensions } from '../../../contract/answers/row-dimensions.ts';
import { commandLines } from '../support/command-lines.ts';
import { readCsv } from '../support/csv.ts';
import { faultsOf10, faultsOf12 } from './transfer/focus/focus-rules.ts';

const commandLine = commandLines();
const nano = (usd = '') => {
  const [whole = '', fraction = ''] = usd.split('.');
  return BigInt(`${whole}${fraction.padEnd(9, '0')}`);
};

describe('pi-ledger export', () => {
  const { run, env } = commandLine();
  const file = (name: string) => join(env.PI_LEDGER_HOME ?? '', name);
  const report = async (...more: string[]) =>
    JSON.parse((await run('report', '--json', ...more)).printed);
  const focus = async (...more: string[]) => {
    const answer = await run('export', '--focus', ...more);
    const [head = [], ...lines] = readCsv(`${answer.printed.replace(/\n*$/, '')}\n`);
    const rows = lines.map(
      (cells): Record<string, string> =>
        Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])),
    );
    return { ...answer, rows };
  };
  const sumOf = (rows: readonly Record<string, string>[], column: string) =>
    rows.reduce((sum, row) => sum + nano(row[column]), 0n).toString();

  beforeAll(async () => {
    const made = await run('demo', '--days', '10', '--data-only', file('ledger.db'));
    expect(made.code).toBe(0);
  });

  it('--focus keeps the published rules, and adds up to the report in each billing', async () => {
    const { code, rows } = await focus();
    const { total } = await report();
    expect(code).toBe(0);
    for (const row of rows) expect([...faultsOf10(row), ...faultsOf12(row)]).toEqual([]);
    const of = (billing: string) => rows.filter((row) => row.x_Billing === billing);
    expect(sumOf(rows, 'BilledCost')).toBe(total.meteredNanoUsd);
    expect(sumOf(of('metered'), 'ListCost')).toBe(total.meteredNanoUsd);
    expect(sumOf(of('subscription'), 'ListCost')).toBe(total.subscriptionNanoUsd);
    expect(sumOf(of('unknown'), 'ListCost')).toBe(total.unknownBillingNanoUsd);
    const tokens = rows
      .filter((row) => row.ConsumedUnit === 'Tokens')
      .reduce((sum, row) => sum + Number(row.ConsumedQuantity), 0);
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = total;
    expect(tokens).toBe(inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens);
    expect(new Set(rows.map((row) => row.SkuMeter)).size).toBeGreaterThan(3);
  });

  it.each([[], ['--focus']])('refuses a period that ends before it begins %j', async (...more) => {
    const bounds = ['--since', '2026-10-20', '--until', '2026-10-10'];
    const { code, complained } = await run('export', ...bounds, ...more);
    expect(code).toBe(2);
    expect(complained).toContain('--since 2026-10-20 is after --until 2026-10-10');
  });

  it('--focus adds up day by day, and takes a period', async () => {
    const days = (await report('--by', 'day')).rows;
    const { rows } = await focus();
    for (const { day, meteredNanoUsd } of days) {
      const ofDay = rows.filter((row) => row.ChargePeriodStart === `${day}T00:00:00Z`);
      expect([day, sumOf(ofDay, 'BilledCost')]).toEqual([day, meteredNanoUsd]);
    }
    const { day, meteredNanoUsd } = days[1];
    const one = await focus('--since', day, '--until', day);
    expect(sumOf(one.rows, 'BilledCost')).toBe(meteredNanoUsd);
  });

  it('--focus says at the end what the file cannot', async () => {
    const { total } = await report();
    const { complained } = await focus();
    expect(total.unpricedRecords).toBeGreaterThan(0);
    const count = (records: number) => records.toLocaleString('en-US');
    expect(complained).toMatch(
      new RegExp(`warning: ${count(total.unpricedRecords)} records without a known price`),
    );
    expect(complained).toContain(`${count(total.unreportedRecords)} records reported nothing`);
    expect(complained).toMatch(/\$\d+\.\d+ is covered by subscriptions: in ListCost/);
    const named = await run('export', '--focus', file('focus.csv'), '--json');
    expect(JSON.parse(named.printed)).toMatchObject({
      file: file('focus.csv'),
      unpricedRecords: total.unpricedRecords,
    });
    expect(readFileSync(file('focus.csv'), 'utf8').trim()).toBe((await focus()).printed.trim());
  });

  it('--parquet has every row with its types, and adds up to the report', async () => {
    expect(await run('export', '--parquet', file('usage.parquet'))).toMatchObject({ code: 0 });
    const buffer = await asyncBufferFromFile(file('usage.parquet'));
    const { schema } = await parquetMetadataAsync(buffer);
    const typeOf = (name: string) => {
      const { type, converted_type } = schema.find((each) => each.name === name) ?? {};
      return [type, converted_type];
    };
    expect(typeOf('hour')).toEqual(['INT64', 'TIMESTAMP_MILLIS']);
    expect(typeOf('nanoUsd')).toEqual(['INT64', undefined]);
    expect(typeOf('project')).toEqual(['BYTE_ARRAY', 'UTF8']);
    const rows = await parquetReadObjects({ file: buffer });
    const { total } = await report();
    const sum = (column: string, billing?: string) =>
      rows
        .filter((row) => billing === undefined || row.billing === billing)
        .reduce((all, row) => all + BigInt(row[column]), 0n)
        .toString();
    expect(sum('nanoUsd', 'metered')).toBe(total.meteredNanoUsd);
    expect(sum('nanoUsd', 'subscription')).toBe(total.subscriptionNanoUsd);
    for (const name of ['records', 'outputTokens', 'unpricedRecords'])
      expect(sum(name)).toBe(String(total[name]));
    expect(rows[0]?.hour).toBeInstanceOf(Date);
    expect(rows.some((row) => row.agent === null)).toBe(true);
    expect(new Set(rows.map(({ session }) => session)).size).toBeGreaterThan(10);
  });

  it('export-openmetrics writes each family in one piece, the same in a file and out', async () => {
    const written = ['export-openmetrics', '--since', '2000-01-01'];
    const { code, printed, complained } = await run(...written);
    const named = await run(...written, '--output', file('history.txt'), '--json');
    const { total } = await report();
    expect([code, named.code]).toEqual([0, 0]);
    expect(complained).toContain('Live metrics go on from their first export');
    const text = readFileSync(file('history.txt'), 'utf8');
    // Without times: the current hour's last sample is of now.
    const untimed = (each: string) => each.replaceAll(/ \d+$/gm, '');
    expect(untimed(text).trimEnd()).toBe(untimed(printed));
    expect(text).toMatch(/^# HELP gen_ai_client_inference_usage_input_tokens /);
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    const lines = text.split('\n').filter((line) => /^\w/.test(line));
    const names = lines.map((line) => line.split('{')[0]);
    const pieces = names.filter((name, index) => name !== names[index - 1]);
    expect(pieces).toHaveLength(7);
    expect(new Set(pieces).size).toBe(7);
    const { samples, meteredUsd, file: path } = JSON.parse(named.printed);
    expect(path).toBe(file('history.txt'));
    expect(samples).toBe(lines.length);
    expect(nano(meteredUsd).toString()).toBe(total.meteredNanoUsd);
  });

  it('export-openmetrics has the job that the live metrics are given', async () => {
    const exporting = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    Object.assign(env, exporting, { OTEL_SERVICE_NAME: 'robots' });
    const { printed } = await run('export-openmetrics', '--since', '2000-01-01');
    expect(new Set(printed.match(/job="[^"]*"/g))).toEqual(new Set(['job="pi-ledger/robots"']));
    for (const name of [...Object.keys(exporting), 'OTEL_SERVICE_NAME']) delete env[name];
  });

  it('export-openmetrics wants to know since when', async () => {
    expect(await run('export-openmetrics')).toMatchObject({ code: 2, printed: '' });
  });

  it('is one format at a time, and Parquet goes into a file', async () => {
    for (const argv of [['--focus', '--parquet', 'x'], ['--parquet']])
      expect(await run('export', ...argv)).toMatchObject({ code: 2, printed: '' });
  });

  it('splits rows by every dimension of the rollup', () => {
    const others = usage.dimensions.filter((name) => name !== 'day' && name !== 'billing');
    expect([...rowDimensions].toSorted()).toEqual(others.toSorted());
  });
});
