import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { segmentsIn } from '../../../core/spool/adoption.ts';
import { createMarks } from '../../../core/spool/marks.ts';
import { decodeOwner } from '../../../core/spool/owner.ts';
import { readSegment } from '../../../core/spool/segment.ts';
import { idOf } from './support/drafts.ts';
import { temporaryDirectory } from './support/places.ts';

const producer = fileURLToPath(new URL('./support/append-loop.ts', import.meta.url));
const roundsMax = 40;

/**
 * Runs a producer, kills it (-9) at a random moment, and returns the last event it knew to be safe.
 */
async function killedProducer(spoolDirectory: string, sessionId: string): Promise<number> {
  const child = spawn(process.execPath, [producer, spoolDirectory, sessionId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
  child.kill('SIGKILL');
  await once(child, 'close');
  return Number(said.trimEnd().split('\n').at(-1));
}

async function spooled(spoolDirectory: string, owner: string) {
  const events: { id: string; sequence: string }[] = [];
  const tornBytes: number[] = [];
  const garbage: string[] = [];
  for (const name of await segmentsIn(join(spoolDirectory, owner))) {
    const segment = await readSegment(join(spoolDirectory, owner, name));
    if (segment.state !== 'read') throw new Error(`${name} is ${segment.state}`);
    events.push(...segment.lines.map((line) => JSON.parse(line)));
    garbage.push(...segment.garbage);
    tornBytes.push(segment.tornBytes);
  }
  return { events, garbage, tornBytes };
}

describe('a producer killed while it appends', () => {
  it('leaves every appended event once, in order, and at most one torn line', async () => {
    const spoolDirectory = temporaryDirectory();
    const marks = createMarks({ spoolDirectory });
    for (let round = 1; round <= roundsMax; round += 1) {
      const before = readdirSync(spoolDirectory);
      const safe = await killedProducer(spoolDirectory, `session-${round}`);
      const [owner] = readdirSync(spoolDirectory).filter(
        (name) => !before.includes(name) && decodeOwner(name) !== null,
      );
      const { events, garbage, tornBytes } = await spooled(spoolDirectory, owner ?? '');

      expect(events.length).toBeGreaterThanOrEqual(safe);
      // The kill may happen between an append and its report: one append more, never less.
      expect(events.length).toBeLessThanOrEqual(safe + 2);
      expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => idOf(index + 1)));
      expect(events.map(({ sequence }) => Number(sequence))).toEqual(
        events.map((_, index) => index + 1),
      );
      expect(garbage).toEqual([]);
      expect(tornBytes.slice(0, -1).every((bytes) => bytes === 0)).toBe(true);

      const marked = Number(marks.read(`session-${round}`)?.entryId);
      expect(marked).toBeGreaterThanOrEqual(safe);
      expect(marked).toBeLessThanOrEqual(events.length);
    }
  });
});
