/** What an import read, and what it added: files by host, records, sessions, money. */

import { grouped, type Without } from '@pi-ledger/contract/amounts';
import type { Usage } from '@pi-ledger/contract/answers';
import type { Root } from '../../importers/importer.ts';
import type { Issue } from '../../importers/issues.ts';
import type { ScanResult } from '../../importers/scan.ts';
import type { Would } from '../client/dry-run.ts';
import type { Terminal } from '../command.ts';
import { asCalled } from '../own-line.ts';
import { type Amount, amountTexts, type Billed } from './amounts-text.ts';
import { printAnswer } from './answer.ts';
import { countOf } from './counts.ts';
import { lateLines } from './late.ts';

export interface Imported {
  readonly result: ScanResult;
  readonly roots: readonly Root[];
  readonly seconds: number;
  /** Totals of the ledger; null where the token may not read them. */
  readonly before: Usage['total'] | null;
  readonly after: Usage['total'] | null;
  /** How many sessions got new events. */
  readonly sessions: number;
}

export function printImported(imported: Imported, terminal: Terminal): void {
  if (!printRead(imported, terminal)) return;
  const { result } = imported;
  for (const line of [addedLine(imported), ...leftLines(result.events)])
    terminal.print(asCalled(terminal, line));
  if (result.lostCount > 0) terminal.complain(lostLine(result.lostCount));
}

/** A dry run does not read the log, so it counts events that a live session already sent. */
export function printDryRun(imported: Imported, would: Would, terminal: Terminal): void {
  if (!printRead(imported, terminal)) return;
  const { result } = imported;
  const spend = `${countOf(would.records, 'record')} of spend, ${amountsIn(would)}`;
  terminal.print(
    `Nothing was written. An import would add ${countOf(result.events.new, 'event')} of ` +
      `${countOf(would.sessions, 'session')}: ${spend}.`,
  );
  if (result.events.new > 0)
    terminal.print(
      'Events that the ledger already has, from a live session for example, do not count again.',
    );
  if (result.lostCount > 0) terminal.complain(lostLine(result.lostCount));
}

/** False if there was nothing to read. */
function printRead({ result, roots, seconds }: Imported, terminal: Terminal): boolean {
  if (result.wasPutBack)
    terminal.complain(
      'The ledger was restored to an earlier state: all session files are read again.',
    );
  for (const issue of result.issues) terminal.complain(asCalled(terminal, lineOf(issue)));
  if (result.issueCount > result.issues.length)
    terminal.complain(`... and ${grouped(result.issueCount - result.issues.length)} more.`);
  const { files } = result;
  if (files.found === 0) {
    const folders = roots.map(({ directory }) => directory).join(', ');
    printAnswer(terminal, { body: [`No session files in ${folders}.`] });
    return false;
  }
  const speed = seconds > 0 ? Math.round(result.bytes / 1e6 / seconds) : 0;
  const names = [...new Set(roots.map(({ importer }) => importer.name))];
  const width = Math.max(nameWidthMin, ...names.map((name) => name.length));
  for (const name of names)
    terminal.print(`${name.padEnd(width)}  ${filesText(result.hosts[name])}`);
  terminal.print(
    [
      `${countOf(files.read, 'file')} read, ${grouped(files.unchanged)} unchanged`,
      `${(result.bytes / 1e6).toFixed(1)} MB`,
      `${seconds.toFixed(1)} s`,
      ...(speed > 0 ? [`${grouped(speed)} MB/s`] : []),
    ].join('   '),
  );
  if (files.failed > 0) terminal.print(`${countOf(files.failed, 'file')} could not be read.`);
  return true;
}

const nameWidthMin = 4;

function filesText(files: ScanResult['hosts'][string]): string {
  return files === undefined || files.found === 0
    ? 'no session files'
    : `${grouped(files.toRead)} of ${countOf(files.found, 'file')} new or changed`;
}

/** Without totals, events are all that is known. */
function addedLine({ result: { events }, before, after, sessions }: Imported): string {
  const known = events.known > 0 ? `; ${countOf(events.known, 'event')} were there before` : '';
  if (events.new === 0) return `nothing new${known}`;
  const among = countOf(sessions, 'session');
  if (before === null || after === null)
    return `${countOf(events.new, 'new event')} in ${among}${known}`;
  const records = countOf(after.records - before.records, 'new record');
  return `${records} in ${among}: ${amountsBetween(before, after)}${known}`;
}

function amountsBetween(before: Usage['total'], after: Usage['total']): string {
  const between = (field: Amount['field']) => BigInt(after[field]) - BigInt(before[field]);
  const without = (billing: Amount['billing']): Without => {
    const [then, now] = [before.byBilling[billing], after.byBilling[billing]];
    return {
      unpricedRecords: now.unpricedRecords - then.unpricedRecords,
      unreportedRecords: now.unreportedRecords - then.unreportedRecords,
      lowerBoundRecords: now.lowerBoundRecords - then.lowerBoundRecords,
    };
  };
  return amountsIn({
    meteredNanoUsd: between('meteredNanoUsd'),
    subscriptionNanoUsd: between('subscriptionNanoUsd'),
    unknownBillingNanoUsd: between('unknownBillingNanoUsd'),
    byBilling: {
      metered: without('metered'),
      subscription: without('subscription'),
      unknown: without('unknown'),
    },
  });
}

function amountsIn(found: Billed): string {
  const texts = amountTexts(found);
  return texts.length === 0 ? 'no amounts' : texts.join(', ');
}

function leftLines({ expired, late, rejected }: ScanResult['events']): string[] {
  const lines = expired > 0 ? lateLines(expired, late) : [];
  if (rejected > 0)
    lines.push(
      `${countOf(rejected, 'event was', 'events were')} rejected: ` +
        '`pi-ledger rejected list` says why.',
    );
  return lines;
}

function lostLine(count: number): string {
  return `${grouped(count)} of these may contain spend that is missing from the totals.`;
}

function lineOf({ file, line, message }: Issue): string {
  return `${file}${line === null ? '' : `:${line}`}: ${message}`;
}
