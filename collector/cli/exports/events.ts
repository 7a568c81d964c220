/** The log's events as NDJSON. */

import { grouped } from '@pi-ledger/contract/amounts';
import { countOf } from '../output/counts.ts';
import { resolvePeriod } from '../period.ts';
import { exportEvents } from '../transfer/export-events.ts';
import type { FileExporter } from './exporter.ts';

/** As many as `GET /v1/log` returns at once. */
const pageEvents = 1_000;

/** Days are those of UTC, in which events have their times. */
export const exportAllEvents: FileExporter = async ({ client, terminal, options, write }) => {
  const summary = await exportEvents({
    readPage: (after) => client.getText(`/v1/log?format=ndjson&after=${after}&limit=${pageEvents}`),
    period: resolvePeriod(options, terminal.now(), 'UTC'),
    write,
  });
  return {
    text: `${grouped(summary.events)} events`,
    summary,
    notes: [
      ...(summary.hasSealed ? [{ text: sealedText }] : []),
      ...(summary.withdrawn === 0 ? [] : [{ text: withdrawnText(summary.withdrawn) }]),
      ...(summary.damaged === 0 ? [] : [{ text: damagedText(summary.damaged) }]),
    ],
    isIncomplete: summary.damaged > 0,
  };
};

function withdrawnText(events: number): string {
  return `${countOf(events, 'withdrawn event')} left out.`;
}

function damagedText(events: number): string {
  return (
    `${countOf(events, 'event')} missing: damaged in the store. ` +
    '`pi-ledger doctor --deep` names them.'
  );
}

const sealedText =
  'Old history of this ledger is sealed. `import-events` does not restore its sums; ' +
  '`pi-ledger copy` does.';
