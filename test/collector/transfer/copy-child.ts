/** A copy that is to be killed. Arguments: from, to. Prints a line at each step. */

import { openStore } from '../../../collector/stores/open-store.ts';
import { openStoreToRead } from '../../../collector/stores/to-read.ts';
import { copyStore } from '../../../collector/transfer/copy-store.ts';
import { leaseWaitMsMax, takeRight } from '../../../collector/transfer/wait-for-lease.ts';
import { locationOf } from './location.ts';

const [from = '', to = ''] = process.argv.slice(2);
const source = await openStoreToRead(locationOf(from));
const target = await openStore(locationOf(to), {
  now: Date.now,
  onError: (error) => console.error(error),
});
process.stdout.write('open\n');
if (!(await takeRight(target.right, leaseWaitMsMax))) throw new Error('no right');
const result = await copyStore({
  from: source,
  to: target,
  onEvents: (phase, events) => void process.stdout.write(`${phase} ${events}\n`),
});
process.stdout.write(`${result.is}\n`);
await target.close();
await source.close();
