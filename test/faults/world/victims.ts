import type { FaultProxy } from '../../support/fault-proxy.ts';
import type { Program } from './program.ts';
import { until } from './until.ts';
import type { Kind, Victim } from './world.ts';

export function programVictim(
  kind: Kind,
  program: Program,
  weight: number,
  doors: readonly FaultProxy[],
): Victim {
  return {
    ...{ kind, weight, doors },
    kill: () => program.kill(),
    restart: () => startAgain(program),
    pause: () => program.signal('SIGSTOP'),
    resume: () => program.signal('SIGCONT'),
  };
}

/** What it needs may not be back yet: a disk with room, a lease, a database. */
export async function startAgain(program: Program): Promise<void> {
  await until(
    `${program.name} is up`,
    async () => {
      await program.start();
      return true;
    },
    { pollMs: 100 },
  );
}
