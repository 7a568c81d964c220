/** What the leader of a cell does for all workers. */
import type { LedgerParts } from '../roles/parts.ts';
import { createErrands, type Errands } from './errands.ts';

export type CellErrands = Errands<ReturnType<typeof worksOf>>;

export function createCellErrands(parts: LedgerParts): CellErrands {
  const { cell, store, logger } = parts;
  return createErrands({
    cell: cell.number,
    store,
    works: worksOf(parts),
    onError: logger.reporter('while doing what another worker asked for'),
  });
}

function worksOf({ subscription, sealer }: LedgerParts) {
  return {
    rebuild: ({ projection }: { readonly projection: string }) => subscription.rebuild(projection),
    seal: ({ floorMs }: { readonly floorMs: number }) => sealer.seal({ floorMs }),
    resume: (_: Readonly<Record<string, never>>) => sealer.resume(),
  };
}
