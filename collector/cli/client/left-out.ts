/** What session files may hold that no total has: said beside totals. */
import { join } from 'node:path';
import type { Terminal } from '../command.ts';
import { formatCount } from '../output/format.ts';
import { countOf } from '../output/usage-table.ts';
import type { LedgerClient } from './ledger-client.ts';

export interface LeftOut {
  readonly files: number;
  readonly count: number;
}

/** As this home's imports have noted it, for the ledger that is asked. */
export async function readLeftOut(
  terminal: Terminal,
  client: Pick<LedgerClient, 'get'>,
): Promise<LeftOut> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { lostOf } = await import('../../importers/progress/lost.ts');
  return lostOf(
    join(loadCollectorConfig(terminal.env).home, 'imports.db'),
    await storeIdOf(client),
  );
}

export function leftOutNotes({ files, count }: LeftOut): readonly string[] {
  if (count === 0) return [];
  const what = count === 1 ? '1 line could' : `${formatCount(count)} lines could`;
  return [
    `${what} not be read in ${countOf(files, 'session file')} and may hold spend that is in no total: \`pi-ledger import\` names what it is.`,
  ];
}

/** A collector that is not ready says so in its own way; nothing is known of it then. */
async function storeIdOf(client: Pick<LedgerClient, 'get'>): Promise<string> {
  try {
    return (await client.get('/health/ready')).storeId ?? '';
  } catch {
    return '';
  }
}
