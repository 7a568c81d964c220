import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adoptDead, segmentsIn } from '../../../core/spool/adoption.ts';
import { adoptedDirectory } from '../../../core/spool/layout.ts';
import type { Observation } from '../../../core/spool/liveness.ts';
import { encodeOwner, readOwner, type SpoolOwner } from '../../../core/spool/owner.ts';
import { readSegment, removeIfUnchanged } from '../../../core/spool/segment.ts';
import { createSpool, type Spool } from '../../../core/spool/spool.ts';
import { draftOf, idsOf } from './support/drafts.ts';
import { filesIn, ownerOf, temporaryDirectory } from './support/places.ts';

/** A simulated process: producer and adopter in one, like the extension. */
interface Actor {
  owner: SpoolOwner;
  spool: Spool;
  /** `asleep`: the others consider it dead, but it will continue. */
  state: 'running' | 'asleep' | 'dead';
  /** Read but not delivered, or delivered but not removed: lost when it dies. */
  inHand: { path: string; sizeBytes: number; ids: readonly string[] } | null;
}

type Step = {
  readonly do: (typeof actions)[number];
  readonly actor: number;
  readonly other: number;
  readonly segmentsMax: number;
};

const actions = [
  'append',
  'append',
  'append',
  'seal',
  'sleep',
  'wake',
  'die',
  'tear',
  'reborn',
  'adopt',
  'adoptTogether',
  'read',
  'deliver',
  'remove',
] as const;
const actorsMax = 4;

const anyStep: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(...actions),
  actor: fc.nat({ max: actorsMax - 1 }),
  other: fc.nat({ max: actorsMax - 1 }),
  segmentsMax: fc.integer({ min: 1, max: 4 }),
});

/** Real files, simulated processes: any of them may stop between any two steps. */
function createWorld(spoolDirectory: string) {
  const actors = Array.from({ length: actorsMax }, (_, index) => born(index, 1));
  const appended: string[] = [];
  const delivered: string[] = [];

  function born(index: number, life: number): Actor {
    const owner = ownerOf(100 + index, { startTime: String(1000 * life) });
    return {
      owner,
      spool: createSpool({ spoolDirectory, owner, spoolBytesMax: 1 << 28 }),
      state: 'running',
      inHand: null,
    };
  }

  function see(pid: number): Observation {
    const actor = actors.find(({ owner }) => owner.pid === pid);
    return actor?.state === 'running'
      ? { state: 'running', startTime: actor.owner.startTime }
      : { state: 'none' };
  }

  async function adopt(actor: Actor, segmentsMax: number): Promise<void> {
    const { owner } = actor;
    await adoptDead({
      spoolDirectory,
      adopter: owner,
      nowMs: Date.now(),
      random: Math.random,
      segmentsMax,
      observer: { self: owner, see },
    });
  }

  async function readOne(actor: Actor): Promise<void> {
    const directory = adoptedDirectory(spoolDirectory, encodeOwner(actor.owner));
    const [name] = await segmentsIn(directory);
    if (name === undefined) return;
    const path = join(directory, name);
    const segment = await readSegment(path);
    if (segment.state !== 'read') return;
    actor.inHand = {
      path,
      sizeBytes: segment.sizeBytes,
      ids: segment.lines.map((line) => JSON.parse(line).id),
    };
  }

  function append(actor: Actor): void {
    const draft = draftOf(appended.length + 1);
    expect(actor.spool.append([draft])).toBe(true);
    appended.push(draft.id);
  }

  /** Killed in the middle of a write. */
  function tear(actor: Actor): void {
    append(actor);
    const directory = join(spoolDirectory, encodeOwner(actor.owner));
    const last = readdirSync(directory).sort().at(-1);
    if (last !== undefined)
      appendFileSync(join(directory, last), '{"specversion":"1.0","id":"never');
    actor.state = 'dead';
  }

  async function deliverAll(actor: Actor): Promise<void> {
    for (let round = 0; round < 1_000; round += 1) {
      await adopt(actor, 3);
      await readOne(actor);
      if (actor.inHand === null) return;
      delivered.push(...actor.inHand.ids);
      expect(removeIfUnchanged(actor.inHand.path, actor.inHand.sizeBytes)).toBe('removed');
      actor.inHand = null;
    }
    throw new Error('it comes to no end');
  }

  const whenRunning: Record<string, (actor: Actor, step: Step) => void | Promise<void>> = {
    append,
    tear,
    seal: ({ spool }) => void spool.seal(),
    sleep(actor) {
      actor.state = 'asleep';
    },
    die(actor) {
      actor.state = 'dead';
    },
    adopt: (actor, { segmentsMax }) => adopt(actor, segmentsMax),
    async adoptTogether(actor, { other, segmentsMax }) {
      const second = actors[other];
      const both = second?.state === 'running' && second !== actor ? [actor, second] : [actor];
      await Promise.all(both.map((each) => adopt(each, segmentsMax)));
    },
    read: readOne,
    deliver: ({ inHand }) => void delivered.push(...(inHand?.ids ?? [])),
    remove(actor) {
      // Like the shipper: nothing is removed before delivery.
      if (actor.inHand?.ids.every((id) => delivered.includes(id)))
        removeIfUnchanged(actor.inHand.path, actor.inHand.sizeBytes);
      actor.inHand = null;
    },
  };

  return {
    appended,
    delivered,
    async perform(step: Step): Promise<void> {
      const actor = actors[step.actor];
      if (actor === undefined) return;
      if (actor.state === 'asleep' && step.do === 'wake') actor.state = 'running';
      // The same pid, another process.
      else if (actor.state === 'dead' && step.do === 'reborn')
        actors[step.actor] = born(step.actor, Number(actor.owner.startTime) / 1000 + 1);
      else if (actor.state === 'running') await whenRunning[step.do]?.(actor, step);
    },
    /** Finally all others are dead, and one last process starts. */
    async settle(): Promise<void> {
      for (const actor of actors) actor.state = 'dead';
      await deliverAll(born(99, 1));
    },
  };
}

describe('adoption, whatever the order of things', () => {
  it('loses no event, invents none, and leaves an empty spool', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 5, maxLength: 60, size: 'max' }),
        async (steps) => {
          const spoolDirectory = temporaryDirectory();
          const world = createWorld(spoolDirectory);
          for (const step of steps) await world.perform(step);
          await world.settle();
          expect(new Set(world.delivered)).toEqual(new Set(world.appended));
          expect(filesIn(spoolDirectory)).toEqual([]);
          expect(readdirSync(spoolDirectory).filter((name) => name !== 'adopted')).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('adopters that are real processes', () => {
  const adopter = fileURLToPath(new URL('./support/adopt-loop.ts', import.meta.url));
  const eventsPerOwner = 20;
  const owners = 25;

  /**
   * Returns the ids that it delivered until it ended by itself or was killed after this many ms.
   */
  async function runAdopter(spoolDirectory: string, killAfterMs: number | null): Promise<string[]> {
    const child = spawn(process.execPath, [adopter, spoolDirectory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    if (killAfterMs !== null) {
      await once(child.stdout, 'data');
      setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    }
    await once(child, 'close');
    return said.split('\n').slice(1, -1);
  }

  it('share the work of many, some of them killed in the middle, and lose nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const spoolDirectory = temporaryDirectory();
      for (let index = 0; index < owners; index += 1) {
        // No process has this pid.
        const owner = { ...readOwner(), pid: 2_000_000_000 + index };
        const spool = createSpool({ spoolDirectory, owner, spoolBytesMax: 1 << 28 });
        for (let number = 1; number <= eventsPerOwner; number += 1) {
          if (number % 4 === 0) spool.seal();
          spool.append([draftOf(index * eventsPerOwner + number)]);
        }
      }
      const killed = Array.from({ length: 3 }, () =>
        runAdopter(spoolDirectory, Math.random() * 25),
      );
      const delivered = (await Promise.all([...killed, runAdopter(spoolDirectory, null)])).flat();
      delivered.push(...(await runAdopter(spoolDirectory, null)));
      expect(new Set(delivered)).toEqual(new Set(idsOf(1, owners * eventsPerOwner)));
      expect(filesIn(spoolDirectory)).toEqual([]);
    }
  });
});
