import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adoptDead, segmentsIn, silenceMs } from '../../../core/spool/adoption.ts';
import { adoptedDirectory, segmentName } from '../../../core/spool/layout.ts';
import { judgeLiveness, type Observation, systemObserver } from '../../../core/spool/liveness.ts';
import { decodeOwner, encodeOwner, readOwner, type SpoolOwner } from '../../../core/spool/owner.ts';
import { createSpool } from '../../../core/spool/spool.ts';
import { draftOf } from './support/drafts.ts';
import { filesIn, ownerOf, temporaryDirectory } from './support/places.ts';

const gone: Observation = { state: 'none' };

/** Appends one event to each of this many segments. */
function spoolOf(
  spoolDirectory: string,
  owner: SpoolOwner,
  first: number,
  segments: number,
): ReturnType<typeof createSpool> {
  const spool = createSpool({ spoolDirectory, owner, spoolBytesMax: 1 << 28 });
  for (let number = first; number < first + segments; number += 1) {
    spool.seal();
    spool.append([draftOf(number)]);
  }
  return spool;
}

function adopt(
  spoolDirectory: string,
  adopter: SpoolOwner,
  options: { see?: (pid: number) => Observation; nowMs?: number; segmentsMax?: number } = {},
) {
  const { see = () => gone, nowMs = Date.now(), ...rest } = options;
  return adoptDead({
    spoolDirectory,
    adopter,
    nowMs,
    random: () => 0,
    observer: { self: adopter, see },
    ...rest,
  });
}

const idsAt = (paths: readonly string[]): string[] =>
  paths
    .flatMap((path) => readFileSync(path, 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line).id);

describe('adoption', () => {
  it('moves a dead owner’s segments in order, and removes its directory', async () => {
    const spoolDirectory = temporaryDirectory();
    const [dead, adopter] = [ownerOf(7), ownerOf(1)];
    spoolOf(spoolDirectory, dead, 1, 12);
    const paths = await adopt(spoolDirectory, adopter);
    const directory = adoptedDirectory(spoolDirectory, encodeOwner(adopter));
    expect(paths).toEqual((await segmentsIn(directory)).map((name) => join(directory, name)));
    expect(paths[0]).toBe(join(directory, `${encodeOwner(dead)}.${segmentName(1)}`));
    expect(idsAt(paths)).toEqual(Array.from({ length: 12 }, (_, index) => draftOf(index + 1).id));
    expect(existsSync(join(spoolDirectory, encodeOwner(dead)))).toBe(false);
  });

  it('leaves the living, itself, and everything that is no owner alone', async () => {
    const spoolDirectory = temporaryDirectory();
    const adopter = ownerOf(1);
    spoolOf(spoolDirectory, ownerOf(7), 1, 2);
    spoolOf(spoolDirectory, adopter, 3, 2);
    const before = filesIn(spoolDirectory);
    expect(
      await adopt(spoolDirectory, adopter, {
        see: () => ({ state: 'running', startTime: '1000' }),
      }),
    ).toEqual([]);
    expect(filesIn(spoolDirectory)).toEqual(before);
  });

  it('takes over from a pid that belongs to another process now', async () => {
    const spoolDirectory = temporaryDirectory();
    spoolOf(spoolDirectory, ownerOf(7), 1, 1);
    spoolOf(spoolDirectory, ownerOf(7, { startTime: '2000' }), 2, 1);
    const paths = await adopt(spoolDirectory, ownerOf(1), {
      see: () => ({ state: 'running', startTime: '2000' }),
    });
    expect(idsAt(paths)).toEqual([draftOf(1).id]);
  });

  it('takes over what a dead adopter had taken over, with the names of the owners', async () => {
    const spoolDirectory = temporaryDirectory();
    spoolOf(spoolDirectory, ownerOf(7), 1, 2);
    await adopt(spoolDirectory, ownerOf(2));
    const paths = await adopt(spoolDirectory, ownerOf(1));
    expect(idsAt(paths)).toEqual([draftOf(1).id, draftOf(2).id]);
    expect(paths[0]).toContain(`${encodeOwner(ownerOf(7))}.${segmentName(1)}`);
    expect(readdirSync(join(spoolDirectory, 'adopted'))).toEqual([encodeOwner(ownerOf(1))]);
  });

  it('waits for a day of silence before it adopts from an owner that it cannot judge', async () => {
    const spoolDirectory = temporaryDirectory();
    const elsewhere = ownerOf(7, { pidNamespace: '4026532999' });
    spoolOf(spoolDirectory, elsewhere, 1, 2);
    const directory = join(spoolDirectory, encodeOwner(elsewhere));
    const nowMs = Date.now();
    setAge(directory, nowMs, silenceMs + 1000);
    setAge(join(directory, segmentName(1)), nowMs, silenceMs + 1000);
    expect(await adopt(spoolDirectory, ownerOf(1), { nowMs })).toEqual([]);
    setAge(join(directory, segmentName(2)), nowMs, silenceMs - 1000);
    expect(await adopt(spoolDirectory, ownerOf(1), { nowMs })).toEqual([]);
    setAge(join(directory, segmentName(2)), nowMs, silenceMs + 1000);
    expect(await adopt(spoolDirectory, ownerOf(1), { nowMs })).toHaveLength(2);
  });

  it('treats activity of an adopter that it cannot judge as a sign of life', async () => {
    const spoolDirectory = temporaryDirectory();
    spoolOf(spoolDirectory, ownerOf(7), 1, 1);
    const nowMs = Date.now();
    setAge(join(spoolDirectory, encodeOwner(ownerOf(7)), segmentName(1)), nowMs, 2 * silenceMs);
    await adopt(spoolDirectory, ownerOf(2, { pidNamespace: '4026532999' }), {
      nowMs: nowMs + 2 * silenceMs,
    });
    expect(await adopt(spoolDirectory, ownerOf(1), { nowMs })).toEqual([]);
  });

  it('overwrites nothing when a suspended owner continues under the same name', async () => {
    const spoolDirectory = temporaryDirectory();
    const asleep = spoolOf(spoolDirectory, ownerOf(7), 1, 1);
    for (let number = 2; number <= 4; number += 1) {
      await adopt(spoolDirectory, ownerOf(number % 2 === 0 ? 1 : 2));
      asleep.append([draftOf(number)]);
    }
    const paths = await adopt(spoolDirectory, ownerOf(3));
    expect(idsAt(paths).sort()).toEqual([1, 2, 3, 4].map((number) => draftOf(number).id));
    expect(new Set(paths).size).toBe(4);
  });

  it('does a bounded piece of work in one call, and the rest in the next ones', async () => {
    const spoolDirectory = temporaryDirectory();
    for (let pid = 10; pid < 15; pid += 1) spoolOf(spoolDirectory, ownerOf(pid), pid * 100, 3);
    const sizes: number[] = [];
    for (let call = 0; call < 5; call += 1)
      sizes.push((await adopt(spoolDirectory, ownerOf(1), { segmentsMax: 4 })).length);
    expect(sizes).toEqual([4, 4, 4, 3, 0]);
    expect(readdirSync(spoolDirectory)).toEqual(['adopted']);
  });

  it('tidies away the directory of a dead owner that left nothing', async () => {
    const spoolDirectory = temporaryDirectory();
    const spool = spoolOf(spoolDirectory, ownerOf(7), 1, 1);
    await adopt(spoolDirectory, ownerOf(2));
    spool.append([draftOf(2)]);
    await adopt(spoolDirectory, ownerOf(2));
    expect(readdirSync(spoolDirectory)).toEqual(['adopted']);
  });

  it('finds nothing in a spool that is not there', async () => {
    expect(await adopt(join(temporaryDirectory(), 'none'), ownerOf(1))).toEqual([]);
  });
});

describe('a real process in another pid namespace', () => {
  it('is not taken for dead, although its pid is free here', async (context) => {
    if (spawnSync('unshare', ['-p', '-f', '--mount-proc', 'true']).status !== 0)
      return context.skip('no pid namespace can be made here');
    const spoolDirectory = temporaryDirectory();
    const producer = fileURLToPath(new URL('./support/append-loop.ts', import.meta.url));
    const child = spawn(
      'unshare',
      ['-p', '-f', '--mount-proc', '--kill-child', process.execPath, producer, spoolDirectory, 's'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    const self = readOwner();
    const [owner] = readdirSync(spoolDirectory).flatMap((name) => decodeOwner(name) ?? []);
    if (owner === undefined) throw new Error('the producer has no directory');
    expect(owner).toMatchObject({ bootId: self.bootId, machine: self.machine });
    expect(owner.pidNamespace).not.toBe(self.pidNamespace);
    expect(judgeLiveness(owner, systemObserver(self))).toBe('unknown');
    const options = { spoolDirectory, adopter: self, random: Math.random };
    expect(await adoptDead({ ...options, nowMs: Date.now() })).toEqual([]);
    expect(await adoptDead({ ...options, nowMs: Date.now() + silenceMs })).not.toEqual([]);
  });
});

function setAge(path: string, nowMs: number, ageMs: number): void {
  const at = new Date(nowMs - ageMs);
  utimesSync(path, at, at);
}
