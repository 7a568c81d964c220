/** Checkpoints in memory; what happens to each move is the test's. */
import type { Checkpoint, Checkpoints } from '../../../../../collector/log/checkpoints.ts';

export function memoryCheckpoints(
  beforeMove: () => void | Promise<void> = () => undefined,
): Pick<Checkpoints, 'read' | 'move'> {
  const all = new Map<string, Checkpoint>();
  return {
    read: async (name) => all.get(name) ?? null,
    async move(name, from, to, state) {
      await beforeMove();
      const known = all.get(name) ?? null;
      if ((known?.position ?? null) !== from) return 'stale';
      all.set(name, { name, position: to, state: state ?? known?.state ?? null });
      return 'moved';
    },
  };
}
