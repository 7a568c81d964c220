/**
 * One episode: a world of its own is opened, harmed by a schedule while producers work, calmed, and
 * judged. Everything random follows from seed and number; what the machine does in between does
 * not.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dice } from '../../test/hosts/support/machine/dice.ts';
import { type Crew, createCrew } from './load/crew.ts';
import { type Sender, startSender } from './load/sender.ts';
import { drawSchedule, type StepName, steps } from './steps/schedule.ts';
import type { Stage } from './steps/step.ts';
import { createTally, type Tally } from './steps/tally.ts';
import { judge } from './truth/judge.ts';
import { doublesIn, lostOf } from './truth/log-watch.ts';
import { createOffered } from './truth/offered.ts';
import { createWatch } from './truth/watch.ts';
import { type TargetName, targets } from './world/targets.ts';
import { untilNone } from './world/until.ts';
import { startAgain } from './world/victims.ts';
import type { World } from './world/world.ts';

export interface EpisodeOptions {
  readonly target: TargetName;
  readonly seed: number;
  readonly episode: number;
  /** Of servers, drawn; some may find nothing in flight. */
  readonly kills: number;
  /** Of each sender after a batch, at most: less is more load. */
  readonly pauseMsMax?: number;
  /** Only the first steps of the schedule. */
  readonly stepsMax?: number;
  /** Is told each line of the history when it is made: of an episode that never ends, too. */
  readonly tell?: (line: string) => void;
}

export interface Outcome {
  readonly episode: number;
  readonly kills: Tally['byKind'];
  readonly steps: number;
  readonly events: number;
  readonly offered: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly double: number;
  /** Entries that counted in a fork first, and then in the session that they belong to. */
  readonly moved: number;
  readonly looks: number;
  readonly countersCompared: number;
  readonly residentMegabytesMax: number;
  readonly seconds: number;
  /** Why the harness could not judge it; null: it did. `lost` says nothing otherwise. */
  readonly gaveUp: string | null;
  /** What must not be; empty: all held. */
  readonly violations: readonly string[];
  /** What was done, in order. */
  readonly history: readonly string[];
}

const senders = 3;
const crewSize = 3;
const pauseMsMaxDefault = 8;
const sweepMsMax = 400_000;
/** Of each program's log, where something does not hold. */
const saidCharsMax = 2_000;
/** Kept of an episode: the first ones say what happened. */
const violationsMax = 20;

export async function playEpisode(options: EpisodeOptions): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'pi-ledger-faults-'));
  // A process that was killed a moment ago may still make a file.
  const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  const world = await targets[options.target]({ directory });
  try {
    return await play(options, directory, world);
  } finally {
    await world.stop();
    process.off('exit', remove);
    remove();
  }
}

async function play(
  { target, seed, episode, kills, pauseMsMax, stepsMax, tell = () => undefined }: EpisodeOptions,
  directory: string,
  world: World,
): Promise<Outcome> {
  const beganMs = performance.now();
  const ownSeed = seed * 100_000 + episode;
  const offered = createOffered();
  const tally = createTally();
  const history: string[] = [];
  const violations: string[] = [];
  const note = (what: string): void => {
    const line = `${((performance.now() - beganMs) / 1_000).toFixed(1)} s ${what}`;
    history.push(line);
    tell(line);
  };
  const complain = (violation: string): void => {
    if (violations.length < violationsMax && !violations.includes(violation))
      violations.push(violation);
  };
  const urls = world.fronts.map(({ port }) => `http://127.0.0.1:${port}`);
  const clockFile = join(directory, 'agents.clock');
  const crew = createCrew({
    ...{ seed: ownSeed, size: crewSize, directory, clockFile, offered, urls },
    ...world.agents,
  });
  const posting = Array.from({ length: senders }, () =>
    startSender({
      ...{ seed: ownSeed, stream: crew.newStream(), urls: () => urls, offered },
      pauseMsMax: pauseMsMax ?? pauseMsMaxDefault,
    }),
  );
  const { isAckInLog } = world;
  const watch = createWatch({
    ...{ seed: ownSeed, world, offered, isAckInLog, complain },
    listen: crew.listen,
  });
  const stage: Stage = {
    ...{ seed: ownSeed, world, crew, offered, tally, complain },
    moveAgentsClock: (offsetMs) => writeFileSync(clockFile, String(offsetMs)),
  };
  const schedule = drawSchedule(world, dice(`schedule ${target}`, ownSeed), kills);
  watch.begin();
  let done = 0;
  let gaveUp: string | null = null;
  try {
    for (const [index, name] of schedule.slice(0, stepsMax ?? schedule.length).entries()) {
      const did = await perform(name, stage, `step ${index}`);
      note(`${name}: ${did}`);
      done += 1;
      if (violations.length > 0) break;
    }
    await calm(stage, posting, crew);
    note('calm');
    await watch.end();
    note('the watch has ended');
    for (const violation of await judge({ seed: ownSeed, world, offered, watch }))
      complain(violation);
    note('judged');
    if (violations.length > 0)
      for (const { name, errors } of world.programs)
        note(`${name} said: ${errors().slice(-saidCharsMax)}`);
  } catch (error) {
    gaveUp = error instanceof Error ? error.message : String(error);
  } finally {
    await watch.end();
    await crew.end();
  }
  for (const program of world.programs) {
    const ending = await program.terminate();
    if (ending.isFault) complain(`${program.name} ended ${ending.how} after SIGTERM`);
  }
  return {
    ...{ episode, kills: tally.byKind, steps: done, violations, history, gaveUp },
    events: watch.log.seen.size,
    offered: offered.offered.size,
    acknowledged: offered.acknowledged.size,
    lost: lostOf(offered.promised, watch.log.seen).length,
    double: doublesIn(watch.log.seen),
    moved: watch.log.owners.moved(),
    looks: watch.figures.looks,
    countersCompared: watch.figures.compared,
    residentMegabytesMax: Math.round(watch.figures.residentBytesMax / 1e6),
    seconds: Math.round((performance.now() - beganMs) / 1_000),
  };
}

function perform(name: StepName, stage: Stage, diceName: string): Promise<string> {
  return steps[name].perform(stage, dice(diceName, stage.seed));
}

/** No fault is left, and nothing is offered any more. */
async function calm(stage: Stage, posting: readonly Sender[], crew: Crew): Promise<void> {
  const { world, complain } = stage;
  stage.moveAgentsClock(0);
  for (const proxy of world.proxies) {
    proxy.setWeather(null);
    proxy.resume();
  }
  for (const program of world.programs) {
    program.jumpClock(0);
    await startAgain(program);
  }
  for (const sender of posting) {
    await sender.end();
    for (const complaint of sender.complaints) complain(complaint);
  }
  const late = await crew.end();
  if (late > 0) complain(`${late} producers did not end by themselves after SIGTERM`);
  await untilNone(
    'bytes in the spool',
    async () => {
      if (crew.waitingBytes() > 0 && !world.readsSpool) await crew.sweep();
      return crew.waitingBytes();
    },
    { restMs: sweepMsMax },
  );
}
