/**
 * A host with nothing but our shipper, whose home is PI_LEDGER_HOME. Arguments: spool directory,
 * url, when the host is done (`at once`, `when waiting` for the next attempt, `when told` by the
 * end of its stdin) or how long it flushes at the end (`flush<ms>`), and how long a request may
 * hang and, where it is done at once, events wait for a flush. It prints `done` then: from there on
 * only the shipper could keep it alive.
 */
import { writeSync } from 'node:fs';
import { readOwner } from '../../../core/spool/owner.ts';
import { createSpool } from '../../../core/spool/spool.ts';
import { systemClock } from '../../../extension/clock.ts';
import { createReaderWatch } from '../../../extension/shipping/reader-watch.ts';
import { createShipper } from '../../../extension/shipping/shipper.ts';
import { createTransport } from '../../../extension/shipping/transport.ts';
import { draftsOf } from '../../core/spool/support/drafts.ts';

const [spoolDirectory = '', url = '', ending = '', hangMs = ''] = process.argv.slice(2);
const owner = readOwner();
const spool = createSpool({ spoolDirectory, owner, spoolBytesMax: 1 << 28 });
const transport = createTransport({
  url,
  isUrlNamed: false,
  token: null,
  home: process.env.PI_LEDGER_HOME ?? '',
  nowMs: Date.now,
  timeoutMs: Number(hangMs),
});
const shipper = createShipper({
  spool,
  spoolDirectory,
  owner,
  url,
  flushIntervalMs: ending === 'at once' ? Number(hangMs) : 1,
  notify: (message) => void writeSync(1, `${message}\n`),
  clock: systemClock,
  random: Math.random,
  transport,
  readerWatch: createReaderWatch({ spoolDirectory, clock: systemClock }),
});
spool.append(draftsOf(1, 3));
shipper.wake();
if (ending === 'when told')
  await new Promise((resolve) => process.stdin.resume().once('end', resolve));
while (ending === 'when waiting' && shipper.state().state !== 'waiting')
  await new Promise((resolve) => setTimeout(resolve, 5));
writeSync(1, 'done\n');
if (ending.startsWith('flush')) await shipper.flush(Number(ending.slice('flush'.length)));
