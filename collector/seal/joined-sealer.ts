/**
 * Seals the history of all cells, one after the other. A cell that another process leads has to be
 * sealed there: then nothing is sealed here, and it rejects with `store_locked`.
 */
import type { Sealer } from './sealer.ts';

/** `expectAllLed` throws where another process leads one of them. */
export function joinSealers(cells: readonly Sealer[], expectAllLed: () => void): Sealer {
  return {
    async seal(request) {
      expectAllLed();
      const sealed = { floorMs: 0, events: 0, documents: 0 };
      for (const cell of cells) {
        const { floorMs, events, documents } = await cell.seal(request);
        sealed.floorMs = Math.max(sealed.floorMs, floorMs);
        sealed.events += events;
        sealed.documents += documents;
      }
      return sealed;
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
