/** What goes wrong before an answer comes: the provider is overloaded, or the user stops it. */
import { attempt } from './answers.ts';
import { hostOf, type Work } from './work.ts';

export interface Tried {
  readonly attempts: number;
  readonly outcome: 'answering' | 'aborted' | 'failed';
}

const stormAttempts = 5;
const backoffMs = 2_000;

/** Mostly nothing; rarely a few attempts in a row, or so many that the host gives up. */
export function attemptsBefore(work: Work, turnIndex: number): Tried {
  const { random } = work.recorder;
  if (random.chance(0.002)) {
    attempt(work, turnIndex, 'aborted');
    return { attempts: 1, outcome: 'aborted' };
  }
  const isStorm = random.chance(0.0015);
  const attempts = isStorm ? stormAttempts : random.chance(0.01) ? random.between(1, 2) : 0;
  const givesUp = isStorm && random.chance(0.4);
  for (let index = 1; index <= attempts; index++) {
    attempt(work, turnIndex, 'error');
    if (index < attempts || !givesUp) waitAfter(work, index);
  }
  if (attempts > 0 && hostOf(work).isOmp) retriesEnded(work, attempts, !givesUp);
  return { attempts, outcome: givesUp ? 'failed' : 'answering' };
}

/** Twice as long each time; only omp tells. */
function waitAfter(work: Work, attemptNumber: number): void {
  const { recorder } = work;
  const delayMs = backoffMs * 2 ** (attemptNumber - 1);
  if (hostOf(work).isOmp)
    recorder.live('pi.retry.scheduled.v1', {
      ...placeOf(work),
      attempt: attemptNumber,
      attemptsMax: stormAttempts,
      delayMs,
    });
  recorder.nowMs += delayMs;
}

function retriesEnded(work: Work, attempts: number, succeeded: boolean): void {
  const durationMs = backoffMs * (2 ** attempts - 1);
  work.recorder.live('pi.retry.ended.v1', { ...placeOf(work), attempts, succeeded, durationMs });
}

function placeOf({ recorder: { leaf, promptEntryId }, model: { provider, model } }: Work) {
  return { leafEntryId: leaf, promptEntryId, provider, model };
}
