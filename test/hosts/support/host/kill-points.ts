/** Kills a host at a chosen point of its run, and says whether it came to that. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeLlm } from '../llm/fake-llm.ts';
import type { Dice } from '../machine/dice.ts';
import type { HostProcess } from './processes.ts';

/**
 * `request`: so long after the host has asked its model for the n-th time. `start`: so long after
 * it was started.
 */
export type KillPoint =
  | { readonly at: 'request'; readonly number: number; readonly afterMs: number }
  | { readonly at: 'start'; readonly afterMs: number };

/**
 * Turns of the victim's loop: on no machine it comes to its end before its kill (60 took 1.3 s on
 * an idle one).
 */
export const victimTurns = 2_000;

/** Most while it works, where there is something to lose; some while it starts or resumes. */
export function drawKillPoint(dice: Dice): KillPoint {
  if (dice.chance(0.15)) return { at: 'start', afterMs: dice.below(1_500) };
  return { at: 'request', number: 1 + dice.below(8), afterMs: dice.below(60) };
}

/**
 * SIGKILL at that point. `tag` marks the victim's own requests. Resolves when it is gone, with how
 * it ended.
 */
export async function killAt(
  point: KillPoint,
  victim: HostProcess,
  llm: FakeLlm,
  tag: string,
): Promise<NodeJS.Signals | null> {
  const forget = llm.onRequest((request) => {
    if (point.at !== 'request' || request.tag !== tag || request.step + 1 !== point.number) return;
    // Not awaited: the answer goes out meanwhile, and the kill falls into what the host makes of
    // it.
    void sleep(point.afterMs).then(() => victim.kill());
  });
  if (point.at === 'start') void sleep(point.afterMs).then(() => victim.kill());
  try {
    return (await victim.done).signal;
  } finally {
    forget();
  }
}
