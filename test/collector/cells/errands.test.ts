/** What any worker asks of the leader of a cell, through the cell's checkpoints. */
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createErrands } from '../../../collector/cells/errands.ts';
import { LedgerError } from '../../../collector/errors.ts';
import type { Checkpoints } from '../../../collector/log/checkpoints.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { openSqliteCheckpoints } from '../../../collector/stores/sqlite/store.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();
const ending: (() => Promise<void>)[] = [];
let stores = 0;

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** Two workers on one cell; who leads is said by the test. */
async function openCell() {
  stores += 1;
  const path = join(directory, `${stores}.db`);
  await openSqliteLog({ path }).close();
  const [here, there] = [openSqliteCheckpoints({ path }), openSqliteCheckpoints({ path })];
  ending.push(here.close, there.close);
  return { here, there };
}

interface Told {
  readonly did: string[];
  readonly errors: unknown[];
}

type Rebuild = (argument: { readonly projection: string }) => Promise<object>;

function workerOf(
  checkpoints: Checkpoints,
  { did, errors }: Told,
  more: { readonly rebuild?: Rebuild; readonly takenMsMax?: number } = {},
) {
  const lead = { isHeld: false };
  const rebuild: Rebuild = async ({ projection }) => {
    did.push(projection);
    return more.rebuild?.({ projection }) ?? { events: 7 };
  };
  const right = { isHeld: () => lead.isHeld, take: async () => true, lost: async () => undefined };
  const errands = createErrands({
    ...{ cell: 3, store: { checkpoints, right }, works: { rebuild } },
    ...(more.takenMsMax === undefined ? {} : { takenMsMax: more.takenMsMax }),
    onError: (error) => void errors.push(error),
  });
  return {
    ask: errands.ask,
    begin() {
      lead.isHeld = true;
      errands.task.start();
      ending.push(errands.task.stop);
    },
    async end() {
      await errands.task.stop();
      lead.isHeld = false;
    },
  };
}

const nothing = (): Told => ({ did: [], errors: [] });

it('is done by the leader, once, and answered to who asked, wherever that is', async () => {
  const { here, there } = await openCell();
  const [own, other] = [nothing(), nothing()];
  const [asking, leading] = [workerOf(here, own), workerOf(there, other)];
  leading.begin();
  const asked = [asking.ask('rebuild', { projection: 'usage' })];
  asked.push(leading.ask('rebuild', { projection: 'sessions' }));
  expect(await Promise.all(asked)).toEqual([{ events: 7 }, { events: 7 }]);
  expect(other.did.toSorted()).toEqual(['sessions', 'usage']);
  expect(own.did).toEqual([]);
  expect(await here.list()).toEqual([]);
  expect([...own.errors, ...other.errors]).toEqual([]);
});

it('answers with the code and the message of the error', async () => {
  const { here, there } = await openCell();
  const failure = new LedgerError('sealing_already');
  const asking = workerOf(here, nothing());
  const leading = workerOf(there, nothing(), { rebuild: () => Promise.reject(failure) });
  leading.begin();
  await expect(asking.ask('rebuild', { projection: 'usage' })).rejects.toMatchObject({
    code: 'sealing_already',
    message: failure.message,
  });
});

it('is withdrawn where nobody leads, and not done by who leads later', async () => {
  const { here, there } = await openCell();
  const later = nothing();
  const impatient = workerOf(here, nothing(), { takenMsMax: 50 });
  await expect(impatient.ask('rebuild', { projection: 'usage' })).rejects.toMatchObject({
    code: 'store_locked',
    message: 'No worker leads cell 3 at the moment: try again later.',
  });
  expect(await here.list()).toEqual([]);
  workerOf(there, later).begin();
  const asking = workerOf(here, nothing());
  expect(await asking.ask('rebuild', { projection: 'sessions' })).toEqual({ events: 7 });
  expect(later.did).toEqual(['sessions']);
});

it('is begun again by the next leader when the first one stops before its end', async () => {
  const { here, there } = await openCell();
  const [first, second] = [nothing(), nothing()];
  const begun = Promise.withResolvers<void>();
  const interrupted = Promise.withResolvers<object>();
  const leading = workerOf(here, first, {
    rebuild() {
      begun.resolve();
      return interrupted.promise;
    },
  });
  leading.begin();
  const asked = leading.ask('rebuild', { projection: 'usage' });
  await begun.promise;
  await leading.end();
  interrupted.reject(new Error('The subscription has stopped.'));
  workerOf(there, second).begin();
  expect(await asked).toEqual({ events: 7 });
  expect([first.did, second.did]).toEqual([['usage'], ['usage']]);
});
