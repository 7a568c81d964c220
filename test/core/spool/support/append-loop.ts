/**
 * Appends until killed, and reports after each append which events are safe. Arguments: spool
 * directory, session.
 */
import { writeSync } from 'node:fs';
import { createMarks } from '../../../../core/spool/marks.ts';
import { readOwner } from '../../../../core/spool/owner.ts';
import { createSpool } from '../../../../core/spool/spool.ts';
import { draftOf } from './drafts.ts';

const [spoolDirectory = '', sessionId = ''] = process.argv.slice(2);
const spool = createSpool({ spoolDirectory, owner: readOwner(), spoolBytesMax: 1 << 30 });
const marks = createMarks({ spoolDirectory });
for (let number = 1; ; number += 2) {
  // Long enough that a write spans pages, and enough of them to change segments.
  const drafts = [
    draftOf(number, { textChars: 500 }),
    draftOf(number + 1, { textChars: (number * 97) % 9000 }),
  ];
  if (!spool.append(drafts)) continue;
  marks.write(sessionId, { entryId: String(number + 1), timestamp: null });
  writeSync(1, `${number + 1}\n`);
}
