/**
 * What is done in an episode, in its order: drawn from the seed before anything happens. Each step
 * has dice of its own, so leaving one out does not change the others.
 */
import type { Dice } from '../../../test/hosts/support/machine/dice.ts';
import type { World } from '../world/world.ts';
import { kill, killProducer, killStarting } from './kill.ts';
import { denySpool, fillDisk, jumpClock, tearSegment } from './machine.ts';
import { cut, deliverAgain, hang, weather } from './networks.ts';
import type { Step } from './step.ts';
import { pause, pauseProducer, terminate } from './stops.ts';

const others = {
  killStarting,
  killProducer,
  pause,
  pauseProducer,
  terminate,
  weather,
  cut,
  hang,
  deliverAgain,
  fillDisk,
  jumpClock,
  tearSegment,
  denySpool,
};
export const steps = { kill, ...others };
export type StepName = keyof typeof steps;

/** Before a kill there is another fault this often. */
const otherChance = 0.45;

export function drawSchedule(world: World, dice: Dice, kills: number): readonly StepName[] {
  const weighted = Object.entries(others as Record<string, Step>).flatMap(([name, step]) =>
    Array<StepName>(step.weight(world)).fill(name as StepName),
  );
  return Array.from({ length: kills }, (): StepName[] => {
    const other = weighted[dice.below(weighted.length)];
    return dice.chance(otherChance) && other !== undefined ? [other, 'kill'] : ['kill'];
  }).flat();
}
