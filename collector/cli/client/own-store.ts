import type { CollectorConfig } from '../../config/config.ts';
import { openLedger } from '../../main.ts';
import type { Terminal } from '../command.ts';
import type { Transport } from './transport.ts';

/**
 * Opens the store in this process: takes the writer lock, adopts what waits in the spool and folds
 * it, then answers from memory. When another process holds the lock it only reads what is folded
 * already, and says so.
 */
export async function openOwnStore(
  config: CollectorConfig,
  terminal: Terminal,
): Promise<Transport> {
  const ledger = await openLedger(config);
  if (ledger.readOnly) {
    terminal.complain('Another process is writing to this store: showing what is in it so far.');
  } else {
    // What is folded already is still worth an answer; that it is behind is said with it
    // (standing.ts).
    await ledger
      .drainSpool()
      .catch((error: unknown) =>
        terminal.complain(`What waits cannot be taken in: ${messageOf(error)}`),
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
