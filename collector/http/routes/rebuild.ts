/**
 * `POST /v1/rebuild/:projection`: folds a view anew from the log beside the old one, and swaps
 * them.
 */
import type { Answers } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { createProjections } from '../../projections/registry.ts';
import { noRules } from '../../projections/rules.ts';
import { answering, type Reply } from '../answering.ts';

const Params = Type.Object({ projection: Type.String({ maxLength: 100 }) });

export type Rebuild = (projection: string) => Promise<Answers['POST /v1/rebuild/{projection}']>;

export function rebuildRoutes(rebuild: Rebuild) {
  const names = createProjections(noRules).map(({ name }) => name);
  return async (app: FastifyInstance): Promise<void> => {
    app.post<{ Params: { projection: string } } & Reply<'POST /v1/rebuild/{projection}'>>(
      '/v1/rebuild/:projection',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/rebuild/{projection}', {
          summary: 'Fold a view anew',
          tags: ['views'],
          params: Params,
        }),
      },
      async ({ params }) => {
        if (names.includes(params.projection)) return rebuild(params.projection);
        throw new LedgerError('not_found', {
          message: `There is no projection of this name; there are ${names.join(', ')}.`,
          field: 'projection',
        });
      },
    );
  };
}
