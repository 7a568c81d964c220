/** Seals the history of all cells, one after the other, each by whoever leads it. */
import type { Sealer, SealRequest } from '../seal/sealer.ts';

export function joinSealers(cells: readonly Sealer[]): Sealer {
  async function eventsBelow({ floorMs }: SealRequest): Promise<number> {
    let sum = 0;
    for (const cell of cells) sum += (await cell.seal({ floorMs, dryRun: true })).events;
    return sum;
  }

  return {
    async seal(request) {
      const before = await eventsBelow(request);
      const sealed = { floorMs: 0, events: before, documents: 0 };
      for (const cell of cells) {
        const { floorMs, documents } = await cell.seal(request);
        sealed.floorMs = Math.max(sealed.floorMs, floorMs);
        sealed.documents += documents;
      }
      if (request.dryRun === true) return sealed;
      // Only now does every cell refuse what the others may delete.
      for (const cell of cells) await cell.resume();
      return { ...sealed, events: before - (await eventsBelow(request)) };
    },
    async resume() {
      await Promise.all(cells.map((cell) => cell.resume()));
    },
    /** The latest: what is older may be gone from one of them. */
    async inForce() {
      const seals = await Promise.all(cells.map((cell) => cell.inForce()));
      return seals.reduce((latest, seal) =>
        seal !== null && (latest === null || seal.floorMs > latest.floorMs) ? seal : latest,
      );
    },
    async stop() {
      await Promise.all(cells.map((cell) => cell.stop()));
    },
  };
}
