/** kill -9 of a server while it has writes that it has not answered, and its return. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../../../test/hosts/support/machine/dice.ts';
import { startAgain } from '../world/victims.ts';
import { type Victim, type World, writesInFlight } from '../world/world.ts';
import type { Step } from './step.ts';

/** A moment into a write: most are over after a few. */
const momentMsMax = 4;
const workMsMax = 700;
const attemptsMax = 10;
/** After a kill it may take a group of consumers, or a lease, so long to go on. */
const nextWriteMsMax = 20_000;

export const kill: Step = {
  weight: () => 1,
  async perform({ world, tally }, dice) {
    const victim = drawVictim(world, dice);
    // Some are killed as soon as they work, most after they have done something.
    await sleep(dice.below(workMsMax));
    await momentInWrite(victim, dice);
    const unansweredBefore = unanswered(victim);
    const writes = await victim.kill();
    // Closed connections are seen a moment after the end of the process.
    for (let look = 0; look < 10 && unanswered(victim) === unansweredBefore; look += 1)
      await sleep(5);
    const left = unanswered(victim) - unansweredBefore;
    const isInFlight = writes > 0 && (!victim.answers || left > 0);
    tally.count(victim.kind, isInFlight);
    if (dice.chance(0.2)) await sleep(dice.below(500));
    await victim.restart();
    const unheard = victim.answers ? `, ${left} never answered` : '';
    return `killed ${victim.kind} with ${writes} writes in flight${unheard}`;
  },
};

export function drawVictim({ victims }: World, { below }: Dice): Victim {
  let draw = below(victims.reduce((sum, { weight }) => sum + weight, 0));
  for (const victim of victims) {
    draw -= victim.weight;
    if (draw < 0) return victim;
  }
  throw new Error('a world has a victim');
}

/**
 * Waits for a write, then for a moment in it; gives up where none comes. On a busy machine a moment
 * may be longer than a write: at last it is the begin of one.
 */
async function momentInWrite(victim: Victim, { below }: Dice): Promise<void> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (writesInFlight(victim) === 0 && !(await nextWrite(victim))) return;
    if (attempt < attemptsMax - 1) await sleep(below(momentMsMax + 1));
    if (writesInFlight(victim) > 0) return;
  }
}

/** False if none came for a while. */
async function nextWrite({ doors }: Victim): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const endings = doors.map((door) => door.onRequest(() => resolve(true)));
  const timer = setTimeout(() => resolve(false), nextWriteMsMax);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    for (const end of endings) end();
  }
}

function unanswered({ doors }: Victim): number {
  return doors.reduce((sum, door) => sum + door.counts().unanswered, 0);
}

/** Killed on its way up, at any moment of its start. */
export const killStarting: Step = {
  weight: ({ programs }) => (programs.length > 0 ? 1 : 0),
  async perform({ world }, { below }) {
    const program = world.programs[below(world.programs.length)];
    if (program === undefined) return 'no program to kill';
    await program.kill();
    program.launch();
    const afterMs = below(startMsMax);
    await sleep(afterMs);
    await program.kill();
    await startAgain(program);
    return `killed ${program.name} ${afterMs} ms after its start`;
  },
};

const startMsMax = 800;

export const killProducer: Step = {
  weight: () => 1,
  async perform({ crew, tally }, dice) {
    const { isInFlight } = await crew.killOne(dice);
    tally.count('producer', isInFlight);
    return `killed a producer ${isInFlight ? 'with events on their way' : 'at rest'}`;
  },
};
