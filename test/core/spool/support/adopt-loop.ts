/**
 * Adopts and delivers until nothing is left: a delivered event is a line on stdout. Argument: spool
 * directory.
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { adoptDead, segmentsIn } from '../../../../core/spool/adoption.ts';
import { adoptedDirectory } from '../../../../core/spool/layout.ts';
import { encodeOwner, readOwner } from '../../../../core/spool/owner.ts';
import { readSegment, removeIfUnchanged } from '../../../../core/spool/segment.ts';

const [spoolDirectory = ''] = process.argv.slice(2);
const adopter = readOwner();
const directory = adoptedDirectory(spoolDirectory, encodeOwner(adopter));
writeSync(1, 'ready\n');
for (;;) {
  const adopted = await adoptDead({
    spoolDirectory,
    adopter,
    nowMs: Date.now(),
    random: Math.random,
    segmentsMax: 5,
  });
  const names = await segmentsIn(directory);
  if (adopted.length === 0 && names.length === 0) break;
  for (const name of names) await deliver(join(directory, name));
}

async function deliver(path: string): Promise<void> {
  const segment = await readSegment(path);
  if (segment.state !== 'read') return;
  for (const line of segment.lines) writeSync(1, `${JSON.parse(line).id}\n`);
  removeIfUnchanged(path, segment.sizeBytes);
}
