/** Bad networks: slow, cut and hanging ones, lost answers, requests delivered again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dice, dice as newDice } from '../../../test/hosts/support/machine/dice.ts';
import type { FaultProxy } from '../../../test/support/fault-proxy.ts';
import type { World } from '../world/world.ts';
import type { Step } from './step.ts';

const weatherMsMax = 1_500;
const hangMsMax = 1_000;
const againMax = 5;

/** While it lasts, each request may be late, cut or lose its answer. */
export const weather: Step = {
  weight: () => 2,
  async perform({ world, seed }, dice) {
    const proxy = drawProxy(world, dice);
    const forMs = dice.below(weatherMsMax);
    const chances = { cutChance: dice.below(20) / 100, loseAnswerChance: dice.below(40) / 100 };
    const delayMsMax = dice.below(40);
    const draws = newDice(`weather ${dice.below(1 << 30)}`, seed);
    const before = proxy.counts();
    proxy.setWeather({ dice: draws, delayMsMax, ...chances });
    await sleep(forMs);
    proxy.setWeather(null);
    const { cut, answersLost } = proxy.counts();
    return `bad weather for ${forMs} ms: ${cut - before.cut} cut, ${
      answersLost - before.answersLost
    } answers lost`;
  },
};

export const cut: Step = {
  weight: () => 1,
  async perform({ world }, dice) {
    drawProxy(world, dice).cut();
    return 'cut all connections';
  },
};

export const hang: Step = {
  weight: () => 1,
  async perform({ world }, dice) {
    const proxy = drawProxy(world, dice);
    const forMs = dice.below(hangMsMax);
    proxy.hang();
    await sleep(forMs);
    proxy.resume();
    return `all connections hung for ${forMs} ms`;
  },
};

/** Before whoever takes events in: elsewhere a repeated stream of bytes is no repeated request. */
export const deliverAgain: Step = {
  weight: () => 2,
  async perform({ world }, dice) {
    const front = world.fronts[dice.below(world.fronts.length)];
    const times = 1 + dice.below(againMax);
    let delivered = 0;
    for (let time = 0; time < times; time += 1) if (front?.deliverAgain(dice)) delivered += 1;
    return `delivered ${delivered} connections' requests again`;
  },
};

function drawProxy({ proxies }: World, { below }: Dice): FaultProxy {
  const proxy = proxies[below(proxies.length)];
  if (proxy === undefined) throw new Error('a world has a network');
  return proxy;
}
