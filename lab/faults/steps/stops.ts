/** SIGSTOP and SIGCONT, and the orderly end of programs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startAgain } from '../world/victims.ts';
import { drawVictim } from './kill.ts';
import type { Step } from './step.ts';

const pauseMsMax = 1_500;

export const pause: Step = {
  weight: () => 1,
  async perform({ world }, dice) {
    const victim = drawVictim(world, dice);
    const forMs = dice.below(pauseMsMax);
    victim.pause();
    await sleep(forMs);
    victim.resume();
    return `stopped ${victim.kind} for ${forMs} ms`;
  },
};

/** A producer that is killed while it is stopped, or goes on. */
export const pauseProducer: Step = {
  weight: () => 1,
  async perform({ crew }, dice) {
    const forMs = dice.below(pauseMsMax);
    crew.signalOne(dice, 'SIGSTOP');
    await sleep(forMs);
    crew.signalAll('SIGCONT');
    return `stopped a producer for ${forMs} ms`;
  },
};

/** Where others can take over: what it held is given to them, and divided anew when it returns. */
const absentMsMax = 3_000;

/** The program ends by itself: in order, or it says that its time for that was over. */
export const terminate: Step = {
  weight: ({ programs }) => (programs.length > 0 ? 1 : 0),
  async perform({ world, complain }, { below }) {
    const program = world.programs[below(world.programs.length)];
    if (program === undefined) return 'no program to end';
    const beganMs = performance.now();
    const ending = await program.terminate();
    const tookMs = Math.round(performance.now() - beganMs);
    if (ending.isFault)
      complain(
        `${program.name} ended ${ending.how} ${tookMs} ms after SIGTERM: ${program.errors()}`,
      );
    const absentMs = world.programs.length > 1 ? below(absentMsMax) : 0;
    await sleep(absentMs);
    await startAgain(program);
    return `ended ${program.name} ${ending.how}, ${tookMs} ms after SIGTERM, for ${absentMs} ms`;
  },
};
