/**
 * Does another program listen on the port of this home's collector? Then `start` fails, and
 * extensions find a stranger there.
 */
import type { CollectorConfig } from '../../config/config.ts';
import { LedgerError } from '../../errors.ts';
import { openConnection } from '../client/proven-connection.ts';
import type { DoctorFinding } from './finding.ts';

const timeoutMs = 2_000;

/** `collectorUrl`: of the running collector; null: none runs. Sends nothing to a stranger. */
export async function checkPort(
  { home, port, token }: CollectorConfig,
  collectorUrl: string | null,
): Promise<DoctorFinding[]> {
  if (port === 0 || parsePort(collectorUrl) === port) return [];
  const url = `http://127.0.0.1:${port}`;
  const connection = openConnection({ url, isUrlNamed: false, token, home, certificate: null });
  try {
    await connection.ask({ method: 'GET', path: '/health/live', timeoutMs });
    return [];
  } catch (error) {
    return isNobody(error)
      ? []
      : [{ check: 'port', state: 'bad', detail: `${whatAnswers(error, url)} ${remedy}` }];
  } finally {
    connection.close();
  }
}

const remedy = 'Stop that program, or set another `port` (and `url`, for the extension).';

function parsePort(url: string | null): number | null {
  return url === null ? null : Number(new URL(url).port);
}

function isNobody(error: unknown): boolean {
  return ['ECONNREFUSED', 'EADDRNOTAVAIL', 'ENETUNREACH'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
}

function whatAnswers(error: unknown, url: string): string {
  if (error instanceof LedgerError && error.code === 'collector_unproven')
    return `Another program uses the collector's port. ${error.message}`;
  return `Another program uses the collector's port: ${url} does not answer like a collector.`;
}
