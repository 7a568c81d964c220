/** The harness's own parts: what is repeatable, what goes on, and that its harm is real. */
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/collector/support/directory.ts';
import { dice } from '../../test/hosts/support/machine/dice.ts';
import type { EpisodeOptions, Outcome } from './episode.ts';
import { placeOf, planned } from './load/events.ts';
import { openJournal, readJournal } from './load/journal.ts';
import { progressOf, readResults, sumsOf, withOutcome, writeResults } from './results.ts';
import { shortest } from './shrink.ts';
import { drawSchedule } from './steps/schedule.ts';
import { startChild } from './world/child.ts';
import { clockJump } from './world/program.ts';
import type { World } from './world/world.ts';

const directory = temporaryDirectory();
const disk = null;
const world = { disk, programs: [{}] } as unknown as World;

const outcome: Outcome = {
  ...{ episode: 1, steps: 8, events: 90, offered: 90, acknowledged: 80, lost: 0, double: 0 },
  ...{
    moved: 1,
    looks: 3,
    countersCompared: 2,
    residentMegabytesMax: 200,
    seconds: 5,
    gaveUp: null,
  },
  kills: { collector: { kills: 3, inFlight: 2 }, producer: { kills: 1, inFlight: 1 } },
  ...{ violations: [], history: ['kill: ...'] },
};

describe('a seed', () => {
  it('gives the same schedule each time, and another seed another one', () => {
    const draw = (seed: number) => drawSchedule(world, dice('schedule', seed), 40);
    expect(draw(7)).toEqual(draw(7));
    expect(draw(8)).not.toEqual(draw(7));
    expect(draw(7).filter((name) => name === 'kill')).toHaveLength(40);
  });

  it('gives the same events, which their ids name', () => {
    const place = { stream: 12, number: 345 };
    const { id, event } = planned(7, place);
    expect(placeOf(id)).toEqual(place);
    expect(planned(7, place).event).toEqual(event);
  });
});

describe('the results of a run', () => {
  const path = join(directory, 'results.json');

  it('are kept, added up, and gone on from', () => {
    const first = withOutcome(readResults(path, 'embedded', 7), outcome);
    writeResults(path, first);
    const second = withOutcome(readResults(path, 'embedded', 7), { ...outcome, episode: 2 });
    expect(second.episodes.map(({ episode, commit }) => [episode, commit])).toEqual([
      [1, expect.stringMatching(/^[0-9a-f]{8}\+?$/)],
      [2, expect.stringMatching(/^[0-9a-f]{8}\+?$/)],
    ]);
    expect(sumsOf(second)).toMatchObject({ inFlight: 4, events: 180, lost: 0, unjudged: 0 });
    expect(progressOf(second, 16)).toContain(
      '4 of 16 kills of servers with writes in flight (25 %), in 2 episodes',
    );
  });

  it("are no other run's", () => {
    expect(() => readResults(path, 'embedded', 8)).toThrow('is of embedded with seed 7');
    expect(() => readResults(path, 'kafka', 7)).toThrow('is of embedded with seed 7');
  });

  it('count nothing of an episode that could not be judged, and name it', () => {
    const results = withOutcome(readResults(null, 'embedded', 7), {
      ...outcome,
      gaveUp: 'no disk',
    });
    expect(sumsOf(results)).toMatchObject({ inFlight: 0, events: 0, unjudged: 1 });
    expect(results.episodes[0]?.history).toEqual(outcome.history);
  });
});

it('looks for a shorter history that fails, too', async () => {
  const played: number[] = [];
  const play = async ({ stepsMax = 0 }: EpisodeOptions): Promise<Outcome> => {
    played.push(stepsMax);
    return { ...outcome, steps: stepsMax, violations: stepsMax >= 3 ? ['lost: one'] : [] };
  };
  const options: EpisodeOptions = { target: 'embedded', seed: 7, episode: 1, kills: 20 };
  const failed = { ...outcome, steps: 16, violations: ['lost: one'] };
  const { stepsMax } = await shortest(options, failed, play);
  expect(stepsMax).toBe(4);
  expect(played).toEqual([8, 4, 2, 2]);
});

it('reads what a producer wrote down, but for a line that is not whole yet', () => {
  const path = join(directory, 'journal.ndjson');
  const reader = readJournal(path);
  expect(reader.news()).toEqual([]);
  openJournal(path).write({ is: 'offered', ids: ['ä', 'b'] });
  appendFileSync(path, '{"is":"spooled",');
  expect(reader.news()).toEqual([{ is: 'offered', ids: ['ä', 'b'] }]);
  appendFileSync(path, '"ids":["ä"]}\n');
  expect(reader.news()).toEqual([{ is: 'spooled', ids: ['ä'] }]);
});

describe('harm', () => {
  it('moves the wall clock of a process, and nothing else of it', async () => {
    const file = join(directory, 'clock');
    writeFileSync(file, String(5 * 3_600_000));
    const code = 'console.log(Date.now(), new Date().getTime(), new Date(7).getTime())';
    const child = startChild(['--import', clockJump, '-e', code], { FAULTS_CLOCK: file });
    const beforeMs = Date.now();
    expect(await child.ended).toBe(0);
    await expect.poll(() => child.said()).toMatch(/\n$/);
    const [now = 0, made = 0, given] = child.said().split(' ').map(Number);
    expect(now - beforeMs).toBeGreaterThan(4 * 3_600_000);
    expect(made).toBeGreaterThanOrEqual(now);
    expect(given).toBe(7);
  });

  it("denies a folder even to root's processes", async () => {
    const folder = join(directory, 'denied');
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    const code = `require('fs').writeFileSync(${JSON.stringify(join(folder, 'file'))}, '')`;
    const child = startChild(['-e', code], {});
    expect(await child.ended).toBe(1);
    await expect.poll(() => child.errors()).toContain('EACCES');
  });
});
