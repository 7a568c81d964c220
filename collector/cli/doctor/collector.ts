import { grouped } from '@pi-ledger/contract/amounts';
import type { Producer } from '@pi-ledger/contract/answers';
import { type LedgerClient, RefusedError } from '../client/ledger-client.ts';
import { countOf } from '../output/counts.ts';
import type { DoctorFinding } from './finding.ts';

/** Is the collector up, and were events dropped at the source or lost on the way? */
export async function checkCollector(
  url: string | null,
  client: LedgerClient,
): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [
    url === null
      ? {
          check: 'collector',
          state: 'note',
          detail:
            'not running; events wait in the spool until `pi-ledger start` or a report reads them',
        }
      : { check: 'collector', state: 'good', detail: `answers on ${url}` },
  ];
  const rows = await askProducers(client);
  if ('check' in rows) return [...findings, rows];
  const dropped = rows.reduce(
    (sum, row) => sum + Object.values(row.dropped).reduce((one, other) => one + other, 0),
    0,
  );
  const missing = rows.reduce((sum, row) => sum + row.missing, 0);
  findings.push({
    check: 'producers',
    state: dropped + missing > 0 ? 'bad' : rows.length === 0 ? 'note' : 'good',
    detail:
      rows.length === 0
        ? 'no event has arrived yet'
        : `${countOf(rows.length, 'process', 'processes')} seen; ` +
          `${countOf(dropped, 'event')} dropped at the source, ` +
          `${grouped(missing)} lost on the way`,
  });
  return findings;
}

/** The token may be refused, or may not allow reading producers. */
async function askProducers(client: LedgerClient): Promise<readonly Producer[] | DoctorFinding> {
  try {
    const { rows } = await client.getAll('/v1/producers');
    return rows;
  } catch (error) {
    if (!(error instanceof RefusedError) || (error.status !== 401 && error.status !== 403))
      throw error;
    if (error.status === 401) return { check: 'token', state: 'bad', detail: error.message };
    return { check: 'producers', state: 'note', detail: `not checked: ${error.message}` };
  }
}
