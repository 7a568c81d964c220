/**
 * A shorter schedule that fails, too: its first half, as long as that still fails. The machine's
 * timing is not the seed's, so a failure may need several tries, or not come again.
 */
import { type EpisodeOptions, type Outcome, playEpisode } from './episode.ts';

const triesPerLength = 2;

type Play = (options: EpisodeOptions) => Promise<Outcome>;

/** The outcome given, if nothing shorter fails. */
export async function shortest(
  options: EpisodeOptions,
  failed: Outcome,
  play: Play = playEpisode,
): Promise<{ readonly outcome: Outcome; readonly stepsMax: number }> {
  let best = { outcome: failed, stepsMax: failed.steps };
  for (let stepsMax = Math.floor(failed.steps / 2); stepsMax > 0; ) {
    const outcome = await failing({ ...options, stepsMax }, play);
    if (outcome === null) break;
    best = { outcome, stepsMax: outcome.steps };
    stepsMax = Math.floor(outcome.steps / 2);
  }
  return best;
}

async function failing(options: EpisodeOptions, play: Play): Promise<Outcome | null> {
  for (let attempt = 0; attempt < triesPerLength; attempt += 1) {
    const outcome = await play(options);
    if (outcome.violations.length > 0) return outcome;
  }
  return null;
}
