/** A machine's own faults: a full disk, wrong permissions, a wrong clock, half-written segments. */
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeOwner, readOwner } from '../../../core/spool/owner.ts';
import { shrink } from '../../../test/hosts/support/machine/disks.ts';
import { planned } from '../load/events.ts';
import { diskBytes } from '../world/embedded.ts';
import type { Step } from './step.ts';

const fullMsMax = 1_500;
const spareBytesMax = 128 * 1024;

export const fillDisk: Step = {
  weight: ({ disk }) => (disk === null ? 0 : 2),
  async perform({ world: { disk } }, { below }) {
    const spareBytes = 1 + below(spareBytesMax);
    const forMs = below(fullMsMax);
    if (disk === null) return 'no disk to fill';
    shrink(disk, spareBytes);
    await sleep(forMs);
    disk.resize(diskBytes);
    return `the disk was full but for ${spareBytes} bytes for ${forMs} ms`;
  },
};

const hourMs = 3_600_000;

/** Up to half a day: what is a day ahead is refused on purpose. */
export const jumpClock: Step = {
  weight: () => 2,
  async perform({ world, moveAgentsClock }, { below }) {
    const offsetMs = below(24 * hourMs) - 12 * hourMs;
    const which = below(world.programs.length + 1);
    const program = world.programs[which];
    if (program === undefined) moveAgentsClock(offsetMs);
    else program.jumpClock(offsetMs);
    const minutes = Math.round(offsetMs / 60_000);
    return `the clock of ${program?.name ?? 'agents'} jumped to ${minutes} min`;
  },
};

const wholeLinesMax = 20;

/** What a producer leaves whose last write the system did not finish, as on a full disk. */
export const tearSegment: Step = {
  weight: () => 1,
  async perform({ crew, offered, seed }, { below }) {
    const stream = crew.newStream();
    const whole = 1 + below(wholeLinesMax);
    const events = Array.from({ length: whole + 1 }, (_, index) =>
      planned(seed, { stream, number: index + 1 }),
    );
    const ids = events.slice(0, whole).map(({ id }) => id);
    const lines = events.map(({ event }) => JSON.stringify(event));
    const last = lines.pop() ?? '';
    const text = [...lines, last.slice(0, 1 + below(last.length - 1))].join('\n');
    offered.note(`stream ${stream}`, { is: 'offered', ids });
    // No process is older than the machine.
    const owner = encodeOwner({ ...readOwner(), startTime: String(1 + below(1_000)) });
    const directory = join(crew.spoolDirectory, `${owner}`);
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const name = `${String(stream).padStart(8, '0')}.ndjson`;
      writeFileSync(join(directory, name), text, { mode: 0o600 });
    } catch {
      return 'no room for a half-written segment';
    }
    offered.note(`stream ${stream}`, { is: 'spooled', ids });
    return `left a segment of ${whole} events and a half`;
  },
};

const denyMsMax = 800;
const nobodyWrites = 0o500;
const ownerOnly = 0o700;

/** Nobody can write to one of the spool's folders, or enter it. */
export const denySpool: Step = {
  weight: () => 2,
  async perform({ crew: { spoolDirectory } }, { below, chance }) {
    const folders = readdirSync(spoolDirectory, { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const folder = folders[below(Math.max(1, folders.length))];
    const path = folder === undefined ? spoolDirectory : join(spoolDirectory, folder.name);
    const forMs = below(denyMsMax);
    setMode(path, chance(0.5) ? nobodyWrites : 0);
    await sleep(forMs);
    setMode(path, ownerOnly);
    return `${folder?.name ?? 'the spool'} could not be written for ${forMs} ms`;
  },
};

/** It may be gone by now: producers come and go. */
function setMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
