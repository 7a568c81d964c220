/** `GET /v1/budgets/deliveries`: which notices of budgets were sent, and what became of them. */
import type { BudgetDelivery } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { answering, type Reply } from '../../http/answering.ts';

interface DeliveriesAsked {
  readDeliveries(): Promise<readonly BudgetDelivery[]>;
}

export function routes({ readDeliveries }: DeliveriesAsked) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<Reply<'GET /v1/budgets/deliveries'>>(
      '/v1/budgets/deliveries',
      {
        config: { scope: 'admin' },
        schema: answering('GET /v1/budgets/deliveries', {
          summary: 'Notices of budgets that were sent, newest first',
          tags: ['views'],
          querystring: Type.Object({}, { additionalProperties: false }),
        }),
      },
      async () => ({ rows: [...(await readDeliveries())] }),
    );
  };
}
