/** Spend in session files that may be missing from the totals; shown beside them. */
import { join } from 'node:path';
import { homeFiles } from '../../config/home-files.ts';
import type { Terminal } from '../command.ts';
import type { Note } from '../output/answer.ts';
import { countOf } from '../output/usage-table.ts';
import type { LedgerClient } from './ledger-client.ts';

export interface LeftOut {
  readonly files: number;
  readonly count: number;
}

/** As noted by this home's imports into the ledger that answers. */
export async function readLeftOut(
  terminal: Terminal,
  client: Pick<LedgerClient, 'getAnyway'>,
): Promise<LeftOut> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { lostOf } = await import('../../importers/progress/lost.ts');
  return lostOf(
    join(loadCollectorConfig(terminal.env).home, homeFiles.imports),
    await storeIdOf(client),
  );
}

export function leftOutNotes({ files, count }: LeftOut): readonly Note[] {
  if (count === 0) return [];
  const lines = `${countOf(count, 'line')} in ${countOf(files, 'session file')}`;
  return [
    {
      is: 'warning',
      text: `${lines} could not be read and may hold spend that is in no total`,
      next: 'pi-ledger import',
    },
  ];
}

/** Said by a collector that is not ready, too. Empty: by an older one. */
export async function storeIdOf(client: Pick<LedgerClient, 'getAnyway'>): Promise<string> {
  return (await client.getAnyway('/health/ready')).storeId ?? '';
}
