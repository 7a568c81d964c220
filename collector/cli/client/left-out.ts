/** Spend in session files that may be missing from the totals; shown beside them. */
import { join } from 'node:path';
import type { LeftOut } from '@pi-ledger/contract/answers';
import { homeFiles } from '../../config/home-files.ts';
import type { Terminal } from '../command.ts';
import type { Note } from '../output/answer-parts.ts';
import { countOf } from '../output/counts.ts';
import type { LedgerClient } from './ledger-client.ts';
import { readStanding } from './standing.ts';

/**
 * As noted by this home's imports into the ledger that answers, or else by those on the collector's
 * machine.
 */
export async function readLeftOut(
  terminal: Pick<Terminal, 'env'>,
  client: Pick<LedgerClient, 'get' | 'getAnyway' | 'source'>,
): Promise<LeftOut> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { readLost } = await import('../../importers/progress/lost.ts');
  const path = join(loadCollectorConfig(terminal.env).home, homeFiles.imports);
  const own = readLost(path, await askStoreId(client));
  if (own.count > 0 || client.source === null) return own;
  return (await readStanding(client))?.leftOut ?? own;
}

export function leftOutNotes({ files, count }: LeftOut): readonly Note[] {
  if (count === 0) return [];
  return [{ is: 'warning', text: leftOutText({ files, count }), next: 'pi-ledger import' }];
}

export function leftOutText({ files, count }: LeftOut): string {
  const lines = `${countOf(count, 'line')} in ${countOf(files, 'session file')}`;
  return `${lines} could not be counted and may hold spend that is in no total`;
}

/** Said by a collector that is not ready, too. Empty: by an older one. */
export async function askStoreId(client: Pick<LedgerClient, 'getAnyway'>): Promise<string> {
  return (await client.getAnyway('/health/ready')).storeId ?? '';
}
