/**
 * `export-otel`: reads the log from its beginning and sends the spans and log records that lie in a
 * period. Ids come from the events, so that it may be repeated, and go on where it broke off.
 */
import { grouped } from '@pi-ledger/contract/amounts';
import { dayStartMs } from '@pi-ledger/core/time/day';
import { dayMs } from '@pi-ledger/core/time/units';
import { factsOfEvents } from '../../answers/sessions/facts.ts';
import type { CollectorConfig } from '../../config/config.ts';
import type { ExporterLosses } from '../../exporters/exporter.ts';
import {
  type HistoryExporter,
  type HistoryPeriod,
  sendPatiently,
} from '../../exporters/history.ts';
import { sealedType } from '../../log/history.ts';
import type { StoredEvent } from '../../log/stored-event.ts';
import type { LedgerClient } from '../client/ledger-client.ts';
import { type ExitCode, type Terminal, UsageError } from '../command.ts';
import { resolveMoment } from '../period.ts';
import { type HistorySignal, openHistories } from './otel-signals.ts';

interface ExportOtelOptions {
  readonly since: string;
  readonly until?: string;
  readonly json?: true;
}

/** As many as `GET /v1/log` returns at once. */
const pageEvents = 1_000;

export async function exportOtel(
  options: ExportOtelOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const period = parsePeriod(options, terminal.now());
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const config = loadCollectorConfig(terminal.env);
  expectEndpoint(config);
  const { withLedger } = await import('../client/ledger-client.ts');
  return withLedger(terminal, (client) => send({ client, config, period }, options, terminal));
}

function expectEndpoint({ telemetry: { problems, signals } }: CollectorConfig): void {
  if (problems.length > 0) throw new UsageError(`${problems.join('; ')}.`);
  if (signals.traces === null && signals.logs === null)
    throw new UsageError(
      'Nothing says where to send it: set OTEL_EXPORTER_OTLP_ENDPOINT, for example to ' +
        'http://localhost:4318.',
    );
}

interface Job {
  readonly client: LedgerClient;
  readonly config: CollectorConfig;
  readonly period: HistoryPeriod;
}

async function send(
  { client, config, period }: Job,
  options: ExportOtelOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const facts = factsOfEvents(config.rules);
  let hasSealed = false;
  for await (const page of readPages(client, said)) for (const { event } of page) facts.add(event);
  const { storeId = '' } = await client.getAnyway('/health/ready');
  const histories = await openHistories(
    { config, storeId, readFacts: facts.read, say: (line) => terminal.complain(line) },
    period,
  );
  try {
    for await (const page of readPages(client)) {
      hasSealed ||= page.some(({ event }) => event.type === sealedType);
      await pass(histories, page);
      terminal.showProgress?.(`${describeHistories(histories)} so far`);
    }
    for (const { exporter } of histories) exporter.end();
    await pass(histories, []);
  } finally {
    terminal.showProgress?.('');
    for (const { exporter } of histories) exporter.close();
  }
  return report({ histories, hasSealed }, options, terminal);
}

async function pass(
  histories: readonly HistorySignal[],
  page: readonly StoredEvent[],
): Promise<void> {
  for (const { exporter } of histories) {
    await exporter.take(page);
    await sendPatiently(exporter, new AbortController().signal);
  }
}

const saying = ['"pi.session.', '"pi.prompt.', sealedType];

/** Lines that say whose sessions are, or that this may be deleted; others need not be parsed. */
function said(line: string): boolean {
  return saying.some((text) => line.includes(text));
}

async function* readPages(
  client: Pick<LedgerClient, 'getText'>,
  isWanted: (line: string) => boolean = () => true,
): AsyncGenerator<readonly StoredEvent[]> {
  for (let after = 0; ; ) {
    const text = await client.getText(`/v1/log?format=ndjson&after=${after}&limit=${pageEvents}`);
    const lines = text.split('\n').slice(0, -1);
    const last = lines.at(-1);
    if (last === undefined) return;
    yield lines.filter((line) => line.includes('"event":') && isWanted(line)).map(storedIn);
    after = storedIn(last).position;
  }
}

function storedIn(line: string): StoredEvent {
  const { position, receivedAt, event } = JSON.parse(line) as {
    readonly position: number;
    readonly receivedAt: string;
    readonly event: StoredEvent['event'];
  };
  return { position, receivedAtMs: Date.parse(receivedAt), event };
}

function report(
  { histories, hasSealed }: { histories: readonly HistorySignal[]; hasSealed: boolean },
  { json }: ExportOtelOptions,
  terminal: Terminal,
): ExitCode {
  const lost = histories.map(({ exporter }) => exporter.losses());
  const isIncomplete = lost.some(({ rejected, refused }) => rejected + refused > 0);
  if (json)
    terminal.print(
      JSON.stringify({
        ...Object.fromEntries(histories.map(({ field, exporter }) => [field, exporter.items()])),
        rejected: sum(lost, 'rejected'),
        refused: sum(lost, 'refused'),
      }),
    );
  else terminal.print(`Sent ${describeHistories(histories)}.`);
  if (isIncomplete)
    terminal.complain({
      text:
        `Error: the endpoint did not take ` +
        `${grouped(sum(lost, 'rejected') + sum(lost, 'refused'))} of them.`,
      style: 'error',
    });
  if (hasSealed)
    terminal.complain(
      'Old history of this ledger is sealed: its events are no longer there, and sessions that ' +
        'began in it are not sent.',
    );
  return isIncomplete ? 1 : 0;
}

function sum(losses: readonly ExporterLosses[], name: 'rejected' | 'refused'): number {
  return losses.reduce((all, each) => all + each[name], 0);
}

function describeHistories(
  histories: readonly { noun: string; exporter: HistoryExporter }[],
): string {
  return histories
    .map(({ noun, exporter }) => `${grouped(exporter.items())} ${noun}`)
    .join(' and ');
}

/** Days are those of UTC, in which spans have their times. Throws a UsageError. */
function parsePeriod(
  { since, until }: { readonly since: string; readonly until?: string | undefined },
  now: Date,
): HistoryPeriod {
  const first = resolveMoment('since', since, now, 'UTC');
  const last = until === undefined ? null : resolveMoment('until', until, now, 'UTC');
  const lastDayMs = last === null ? null : dayStartMs(last);
  const period = {
    sinceMs: dayStartMs(first) ?? Date.parse(first),
    untilMs:
      last === null
        ? Number.POSITIVE_INFINITY
        : lastDayMs === null
          ? Date.parse(last)
          : lastDayMs + dayMs,
  };
  if (period.untilMs <= period.sinceMs) throw new UsageError('--until: it is not after --since.');
  return period;
}
