/** `export-otel` as a user runs it: a process of its own, beside what a collector has exported. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { demoEvents } from '../../../lab/bench/demo-events.ts';
import type { Item } from '../exporters/support/decode.ts';
import { openEndpoint } from '../exporters/support/endpoint.ts';
import { exportingLedgers } from '../exporters/support/exporting.ts';

const open = exportingLedgers();
const bin = join(import.meta.dirname, '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');

async function runBin(home: string, url: string, ...argv: readonly string[]) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [bin, ...argv], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      PI_LEDGER_HOME: home,
      PI_LEDGER_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
    },
  });
  return { stdout: stdout.trim(), stderr };
}

function idsOf(items: readonly Item[]): ReadonlySet<string> {
  return new Set(
    items.map(({ traceId, spanId, attributes }) =>
      [traceId, spanId, attributes['log.record.uid'] ?? ''].join(' '),
    ),
  );
}

it('sends what the collector has sent under the same ids, and ends', async () => {
  const live = await openEndpoint();
  const exporting = await open(live.url, { more: { OTEL_METRICS_EXPORTER: 'none' } });
  await exporting.accept([...demoEvents(1_500)]);
  await exporting.reachesHead();
  await exporting.stop();
  const again = await openEndpoint();
  const { stdout, stderr } = await runBin(
    exporting.home,
    again.url,
    ...['export-otel', '--since', '2020-01-01', '--json'],
  );
  expect(stderr).toBe('');
  const sent = JSON.parse(stdout);
  expect(sent).toMatchObject({ rejected: 0, refused: 0 });
  expect(sent.spans + sent.logRecords).toBe(again.taken().length);
  expect(sent.spans).toBeGreaterThan(500);
  const known = idsOf(live.taken());
  expect(known.size).toBeGreaterThan(500);
  const sentAgain = idsOf(again.taken());
  expect([...known].filter((id) => !sentAgain.has(id))).toEqual([]);
});
