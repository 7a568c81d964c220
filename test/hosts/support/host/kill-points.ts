/** Kills a host at a chosen point of its run, and reports whether the point was reached. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeLlm } from '../llm/fake-llm.ts';
import type { Dice } from '../machine/dice.ts';
import type { HostProcess } from './processes.ts';

/** `request`: this long after the host's n-th model request. `start`: this long after its start. */
export type KillPoint =
  | { readonly at: 'request'; readonly number: number; readonly afterMs: number }
  | { readonly at: 'start'; readonly afterMs: number };

/**
 * Turns of the victim's loop: no machine finishes them before the kill (60 took 1.3 s on an idle
 * one).
 */
export const victimTurns = 2_000;

/** Mostly while it works, when there is something to lose; sometimes while it starts or resumes. */
export function drawKillPoint(dice: Dice): KillPoint {
  if (dice.chance(0.15)) return { at: 'start', afterMs: dice.below(1_500) };
  return { at: 'request', number: 1 + dice.below(8), afterMs: dice.below(60) };
}

/** For the first victim of a session: with answers to lose, whatever the others draw. */
export function lateKillPoint(dice: Dice): KillPoint {
  return { at: 'request', number: 9, afterMs: dice.below(60) };
}

/** SIGKILL at that point. `tag` marks the victim's own requests. Resolves with how it ended. */
export async function killAt(
  point: KillPoint,
  victim: HostProcess,
  llm: FakeLlm,
  tag: string,
): Promise<NodeJS.Signals | null> {
  const forget = llm.onRequest((request) => {
    if (point.at !== 'request' || request.tag !== tag || request.step + 1 !== point.number) return;
    // Not awaited: the answer is sent meanwhile, and the kill hits the host while it processes it.
    void sleep(point.afterMs).then(() => victim.kill());
  });
  if (point.at === 'start') void sleep(point.afterMs).then(() => victim.kill());
  try {
    return (await victim.done).signal;
  } finally {
    forget();
  }
}
