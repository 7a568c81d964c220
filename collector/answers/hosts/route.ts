/** `GET /v1/hosts`: which agents this machine has, and how each is made to load the extension. */
import type { Host } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { requestCaller } from '../../http/access.ts';
import { answering, type Reply } from '../../http/answering.ts';

/** Contract: reads the hosts' own settings, runs nothing. */
export type ReadHosts = () => readonly Host[];

export function routes({ readHosts }: { readonly readHosts: ReadHosts }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<Reply<'GET /v1/hosts'>>(
      '/v1/hosts',
      {
        config: { scope: 'read' },
        schema: answering('GET /v1/hosts', {
          summary: "The agents on the collector's machine",
          tags: ['health'],
        }),
      },
      // Commands name folders of this machine.
      async (request) => ({
        rows: requestCaller(request).reading.is === 'none' ? [...readHosts()] : [],
      }),
    );
  };
}
