/** What happens to requests by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../../hosts/support/machine/dice.ts';
import type { Link, Network } from './network.ts';

/** What may happen to each request by itself. Chances are in [0, 1]. */
export interface Weather {
  readonly dice: Dice;
  readonly delayMsMax: number;
  /** Its connection breaks before the server has had it. */
  readonly cutChance: number;
  /** The server has it, and its answer is lost. */
  readonly loseAnswerChance: number;
}

export async function meetWeather(link: Link, network: Network, isRequest: boolean): Promise<void> {
  const { weather } = network;
  if (weather === null || !isRequest) return;
  const { dice, delayMsMax, cutChance, loseAnswerChance } = weather;
  // All are drawn each time, so that one setting does not move the draws of the others.
  const delayMs = dice.below(delayMsMax + 1);
  const [isCut, isLost] = [dice.chance(cutChance), dice.chance(loseAnswerChance)];
  await sleep(delayMs);
  if (isCut) {
    network.counts.cut += 1;
    link.end();
  } else if (isLost) link.loseAnswer = () => undefined;
}
