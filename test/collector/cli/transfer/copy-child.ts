/** A copy to be killed. Arguments: from, to. Prints a line at each step. */

import { copyStore } from '../../../../collector/cli/transfer/copy-store.ts';
import { waitForLease } from '../../../../collector/cli/transfer/wait-for-lease.ts';
import { openStore, openStoreToRead } from '../../support/open-store.ts';

const [from = '', to = ''] = process.argv.slice(2);
const source = await openStoreToRead(from);
const target = await openStore(to, {
  now: Date.now,
  onError: (error) => console.error(error),
});
process.stdout.write('open\n');
if (!(await waitForLease(target.right, { msMax: 20_000 }))) throw new Error('no right');
const result = await copyStore({
  from: source,
  to: target,
  onEvents: (phase, events) => void process.stdout.write(`${phase} ${events}\n`),
});
process.stdout.write(`${result.is}\n`);
await target.close();
await source.close();
