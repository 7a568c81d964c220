/**
 * `npm run faults -- [options]`: kills and harms a ledger under work until enough kills met writes
 * in flight, and says what was lost, doubled or wrong. Runs in episodes; with `--results` the next
 * call goes on where the last one stopped.
 *
 * Exit code 0: all held so far, 1: something did not, 2: a usage error.
 */
import { parseArgs } from 'node:util';
import { type EpisodeOptions, type Outcome, playEpisode } from './episode.ts';
import { progressOf, readResults, sumsOf, withOutcome, writeResults } from './results.ts';
import { shortest } from './shrink.ts';
import { type TargetName, targets } from './world/targets.ts';

const usage = `npm run faults -- [options]
  --target <name>     ${Object.keys(targets).join(', ')} (embedded)
  --kills <n>         of servers, while writes are in flight (100)
  --seed <n>          what is done follows from it (1)
  --results <file>    keeps what was found, and goes on from it
  --minutes <n>       stops after the episode in which this is reached
  --episode <n>       plays this one alone, and prints what was done
  --steps <n>         of that one, only the first`;

/** The same in every part of a run, or its episodes would differ from a whole one's. */
const episodeKills = 25;
const historyMax = 25;
/** In one call: more often, and something is wrong with the harness or the machine. */
const gaveUpMax = 3;

interface Request {
  readonly target: TargetName;
  readonly kills: number;
  readonly seed: number;
  readonly resultsFile: string | null;
  readonly minutesMax: number;
  readonly episode: number | null;
  readonly stepsMax: number | null;
}

async function main(args: readonly string[]): Promise<number> {
  const request = readRequest(args);
  if (request === null) {
    console.error(usage);
    return 2;
  }
  return request.episode === null ? run(request) : replay(request, request.episode);
}

async function run(request: Request): Promise<number> {
  const { target, seed, kills, resultsFile, minutesMax } = request;
  let results = readResults(resultsFile, target, seed);
  console.log(progressOf(results, kills));
  const endMs = performance.now() + minutesMax * 60_000;
  let gaveUp = 0;
  while (sumsOf(results).inFlight < kills && gaveUp < gaveUpMax && performance.now() < endMs) {
    const options = { target, seed, episode: results.episodes.length + 1, kills: episodeKills };
    const outcome = await playEpisode(options);
    results = withOutcome(results, outcome);
    if (resultsFile !== null) writeResults(resultsFile, results);
    console.log(progressOf(results, kills));
    if (outcome.gaveUp !== null) {
      printOutcome(outcome);
      gaveUp += 1;
    }
    if (outcome.violations.length > 0) {
      await explain(options, outcome);
      return 1;
    }
  }
  return sumsOf(results).violations > 0 || gaveUp > 0 ? 1 : 0;
}

/** What failed, the shortest schedule that fails too, and how to play it again. */
async function explain(options: EpisodeOptions, outcome: Outcome): Promise<void> {
  printOutcome(outcome);
  console.log('looking for a shorter history ...');
  const { outcome: short, stepsMax } = await shortest(options, outcome);
  printOutcome(short);
  const { target, seed, episode } = options;
  console.log(
    `again: npm run faults -- --target ${target} --seed ${seed} --episode ${episode} ` +
      `--steps ${stepsMax}`,
  );
}

async function replay(request: Request, episode: number): Promise<number> {
  const { target, seed, stepsMax } = request;
  const more = stepsMax === null ? {} : { stepsMax };
  const outcome = await playEpisode({ target, seed, episode, kills: episodeKills, ...more });
  printOutcome(outcome);
  return outcome.violations.length > 0 || outcome.gaveUp !== null ? 1 : 0;
}

function printOutcome({ history, violations, ...figures }: Outcome): void {
  console.log(JSON.stringify(figures));
  for (const line of history.slice(-historyMax)) console.log(`  ${line}`);
  for (const violation of violations) console.log(`  VIOLATION ${violation}`);
}

function readRequest(args: readonly string[]): Request | null {
  const options = {
    target: { type: 'string', default: 'embedded' },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    results: { type: 'string' },
    minutes: { type: 'string' },
    episode: { type: 'string' },
    steps: { type: 'string' },
  } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    const { minutes, episode, steps } = values;
    return {
      target: targetNamed(values.target),
      kills: count(values.kills),
      seed: count(values.seed),
      resultsFile: values.results ?? null,
      minutesMax: minutes === undefined ? Number.POSITIVE_INFINITY : count(minutes),
      episode: episode === undefined ? null : count(episode),
      stepsMax: steps === undefined ? null : count(steps),
    };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return null;
  }
}

function targetNamed(name: string): TargetName {
  if (name in targets) return name as TargetName;
  throw new Error(`There is no target ${name}.`);
}

function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`Expected a whole number from 1, got "${text}".`);
}

// Mounts and directories of an interrupted episode are removed with the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.exit(await main(process.argv.slice(2)));
