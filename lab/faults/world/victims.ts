import type { FaultProxy } from '../../../test/support/fault-proxy.ts';
import type { Program } from './program.ts';
import { until } from './until.ts';
import type { Kind, Victim } from './world.ts';

interface Member {
  readonly program: Program;
  /** Where its writes pass. */
  readonly door: FaultProxy;
}

/** Several programs of one kind: harm comes to one that writes, if any does. */
export function programsVictim(
  kind: Kind,
  weight: number,
  answers: boolean,
  members: readonly [Member, ...Member[]],
): Victim {
  const [first] = members;
  const writing = (): Member => members.find(({ door }) => door.inFlight() > 0) ?? first;
  return {
    ...{ kind, weight, answers },
    doors: members.map(({ door }) => door),
    async kill() {
      const { program, door } = writing();
      const writes = door.inFlight();
      await program.kill();
      return writes;
    },
    async restart() {
      for (const { program } of members) await startAgain(program);
    },
    pause: () => writing().program.signal('SIGSTOP'),
    resume() {
      for (const { program } of members) program.signal('SIGCONT');
    },
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
