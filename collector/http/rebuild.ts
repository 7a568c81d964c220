/** `POST /v1/rebuild/:projection`: folds a view anew from the log beside the old one, and swaps them. */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { LedgerError } from '../errors.ts';
import { createProjections } from '../projections/registry.ts';
import { noRules } from '../projections/rules.ts';

const Params = Type.Object({ projection: Type.String({ maxLength: 100 }) });
const Answer = Type.Object({ events: Type.Integer(), durationMs: Type.Number() });

export type Rebuild = (projection: string) => Promise<{ readonly events: number; readonly durationMs: number }>;

export function rebuildRoutes(rebuild: Rebuild) {
  const names = createProjections(noRules).map(({ name }) => name);
  return async (app: FastifyInstance): Promise<void> => {
    app.post<{ Params: { projection: string } }>(
      '/v1/rebuild/:projection',
      { config: { scope: 'admin' }, schema: { summary: 'Fold a view anew', tags: ['views'], params: Params, response: { 200: Answer } } },
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
