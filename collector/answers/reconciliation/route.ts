/**
 * `GET` and `POST /v1/reconciliation`: what the newest comparison of session files, log and views
 * came to. The comparison itself is the command's, which shares no code with what it compares.
 */
import { Reconciled } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { requestCaller } from '../../http/access.ts';
import { answering, type Reply } from '../../http/answering.ts';

export interface ReconciliationRoutesOptions {
  read(): Reconciled | null;
  keep(outcome: Reconciled): void;
}

export function routes({ read, keep }: ReconciliationRoutesOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<Reply<'GET /v1/reconciliation'>>(
      '/v1/reconciliation',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/reconciliation', {
          summary: 'Whether session files and totals agreed when that was compared last',
          tags: ['health'],
        }),
      },
      // Its figures are of the whole ledger.
      async (request) => ({ last: requestCaller(request).reading.is === 'none' ? read() : null }),
    );

    app.post<{ Body: Reconciled } & Reply<'POST /v1/reconciliation'>>(
      '/v1/reconciliation',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/reconciliation', {
          summary: 'Keep what a comparison came to; `pi-ledger reconcile` does',
          tags: ['health'],
          body: Reconciled,
        }),
      },
      async ({ body }) => {
        keep(body);
        return { last: body };
      },
    );
  };
}
