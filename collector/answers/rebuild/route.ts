/** `POST /v1/rebuild/:projection`: builds a view again beside the old one, and swaps them. */
import type { Answers } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { answering, type Reply } from '../../http/answering.ts';
import { createProjections, type Wanted } from '../../projections/registry.ts';
import { noRules } from '../../projections/rules.ts';

const Params = Type.Object({ projection: Type.String({ maxLength: 100 }) });

type Rebuild = (projection: string) => Promise<Answers['POST /v1/rebuild/{projection}']>;

export interface RebuildOptions {
  readonly rebuild: Rebuild;
  /** The projections that can be built again. */
  readonly wanted: Wanted;
}

export function routes({ rebuild, wanted }: RebuildOptions) {
  const names = createProjections(noRules, wanted).map(({ name }) => name);
  return async (app: FastifyInstance): Promise<void> => {
    app.post<{ Params: { projection: string } } & Reply<'POST /v1/rebuild/{projection}'>>(
      '/v1/rebuild/:projection',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/rebuild/{projection}', {
          summary: 'Build a view again from the log',
          tags: ['views'],
          params: Params,
        }),
      },
      async ({ params }) => {
        if (names.includes(params.projection)) return rebuild(params.projection);
        throw new LedgerError('not_found', {
          message: `projection: must be one of ${names.join(', ')}.`,
          field: 'projection',
        });
      },
    );
  };
}
