/** What reconcile reads of a made-up agent, without a line of its importer. */
import { join } from 'node:path';
import type { AgentReader } from '../../../../collector/reconcile/readers/reader.ts';

export const toy: AgentReader = {
  name: 'toy',
  title: 'Toy',
  unpricesCopies: false,
  defaultDirectories: (_environment, home) => [join(home, '.toy')],
  loadFormat: async () => (await import('./format.ts')).toyFormat,
};
