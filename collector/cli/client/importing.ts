/** An import that is not finished: whoever shows totals says so. */
import { join } from 'node:path';
import { grouped } from '@pi-ledger/contract/amounts';
import type { Importing } from '@pi-ledger/contract/answers';
import { homeFiles } from '../../config/home-files.ts';
import type { Terminal } from '../command.ts';
import type { Line } from '../line.ts';
import { asCalled } from '../own-line.ts';
import type { LedgerClient } from './ledger-client.ts';
import { askStoreId } from './left-out.ts';
import { readStanding } from './standing.ts';

/** This home's import into the ledger that answers, or else that of the collector's machine. */
export async function readImporting(
  terminal: Pick<Terminal, 'env' | 'now'>,
  client: Pick<LedgerClient, 'get' | 'getAnyway' | 'source'>,
): Promise<Importing | null> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { readImporting } = await import('../../importers/progress/scans.ts');
  const path = join(loadCollectorConfig(terminal.env).home, homeFiles.imports);
  const own = readImporting(path, await askStoreId(client), terminal.now().getTime());
  if (own !== null || client.source === null) return own;
  return (await readStanding(client))?.importing ?? null;
}

/** Above everything else, since no total below it is final. */
export function importingLine(
  importing: Importing | null,
  terminal: Pick<Terminal, 'env'>,
): Line | null {
  if (importing === null) return null;
  const text = asCalled(terminal, `importing: ${importingText(importing)}`);
  return { text, style: 'warning' };
}

/** For JSON: the field `importing`, if there is something. */
export function importingJson(importing: Importing | null): { readonly importing?: Importing } {
  return importing === null ? {} : { importing };
}

export function importingText(importing: Importing): string {
  const { isRunning, files, filesToRead } = importing;
  const done = `${grouped(files)} of ${grouped(filesToRead)} files`;
  return isRunning
    ? `${[done, ...speedTexts(importing)].join(', ')}; totals grow until then`
    : `interrupted at ${done}; totals are not complete: pi-ledger import`;
}

function speedTexts({ bytes, bytesToRead, startedAt, at }: Importing): readonly string[] {
  const seconds = (Date.parse(at) - Date.parse(startedAt)) / 1_000;
  return seconds <= 0 || bytes === 0 ? [] : speedWords({ bytes, bytesToRead, seconds });
}

/** `210 MB/s`, `about 2 s left`. */
export function speedWords({
  bytes,
  bytesToRead,
  seconds,
}: {
  readonly bytes: number;
  readonly bytesToRead: number;
  readonly seconds: number;
}): readonly string[] {
  const rate = bytes / seconds;
  const left = Math.ceil(Math.max(0, bytesToRead - bytes) / rate);
  const wait = left < 120 ? `${left} s` : `${Math.ceil(left / 60)} min`;
  return [`${grouped(Math.round(rate / 1e6))} MB/s`, `about ${wait} left`];
}
