import { errorText } from '@pi-ledger/core/text/error-text';
import type { CollectorConfig } from '../../config/config.ts';
import { openLedger } from '../../main.ts';
import type { Terminal } from '../command.ts';
import type { ClientTransport } from './transport.ts';

/**
 * Opens the store in this process: takes the writer lock, adopts the events in the spool, and
 * answers requests in memory. If another process holds the lock, it only reads, and says so.
 */
export async function openOwnStore(
  config: CollectorConfig,
  terminal: Terminal,
): Promise<ClientTransport> {
  const ledger = await openLedger(config);
  if (ledger.readOnly) {
    terminal.complain('Another process is writing to this store: showing what it holds so far.');
  } else {
    // The views still answer; standing.ts says that they are behind.
    await ledger
      .drainSpool()
      .catch((error: unknown) =>
        terminal.complain(`The waiting events cannot be taken in: ${errorText(error)}`),
      );
  }
  return {
    request: async (method, path, body, contentType = 'application/json') => {
      const answer = await ledger.app.inject({
        method,
        url: path,
        headers: {
          host: 'localhost',
          ...(body === undefined ? {} : { 'content-type': contentType }),
        },
        ...(body === undefined ? {} : { payload: body }),
      });
      const { link } = answer.headers;
      return {
        status: answer.statusCode,
        body: answer.body,
        retryAfterSeconds: null,
        link: typeof link === 'string' ? link : null,
      };
    },
    close: () => ledger.close(),
  };
}
