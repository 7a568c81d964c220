/** A ledger that gets another number of cells by being copied. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newHome, work } from '../collector/cli/transfer/homes.ts';
import { contentOf, fill, openToWrite, seal } from '../collector/cli/transfer/stores.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { exampleEvents } from '../collector/support/events.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';

const databases = laneDatabases();
const directory = temporaryDirectory();

/** Events of a session are in their order; those of several cells come one cell after the other. */
async function bySessions(store: string) {
  const { events, ...rest } = await contentOf(store);
  const sessions = Map.groupBy(
    events.map(({ position: _position, ...event }) => event),
    ({ text }) => (JSON.parse(text) as { readonly subject: string }).subject,
  );
  return { ...rest, sessions: new Map([...sessions].toSorted()) };
}

it('has all that it had in three cells, what came since, and the same back in one', async () => {
  const file = `sqlite:${join(directory, 'from.db')}`;
  const home = newHome(directory, file);
  const [cells, back] = [databases.uri(), newHome(directory)];
  await work(home);
  await fill(file, 500);
  const forth = await home.run('copy', '--to', cells, '--cells', '3', '--json');
  expect(forth.code).toBe(0);
  expect(JSON.parse(forth.printed)).toMatchObject({ is: 'copied', tokens: { added: 2 } });
  expect(await bySessions(cells)).toEqual(await bySessions(file));

  const { log, close } = await openToWrite(file);
  const added = ['late-1', 'late-2', 'late-3', 'late-4'].flatMap((subject, session) =>
    exampleEvents(900_000 + session * 10, 5, { subject, source: `/producers/${subject}` }),
  );
  await log.append({ receivedAtMs: 9, events: added, deadLetters: [] });
  await close();
  const again = await home.run('copy', '--to', cells, '--cells', '3', '--json');
  expect(JSON.parse(again.printed)).toMatchObject({ is: 'copied', deadLetters: { added: 0 } });
  expect(await bySessions(cells)).toEqual(await bySessions(file));

  expect(await back.run('copy', '--from', cells, '--json')).toMatchObject({ code: 0 });
  expect(await bySessions(`sqlite:${join(back.env.PI_LEDGER_HOME ?? '', 'ledger.db')}`)).toEqual(
    await bySessions(file),
  );
});

it('is not divided once history is sealed, nor into cells of a file', async () => {
  const file = `sqlite:${join(directory, 'sealed.db')}`;
  await fill(file, 50);
  await seal(file, 7_000);
  const home = newHome(directory, file);
  const sealed = await home.run('copy', '--to', databases.uri(), '--cells', '2');
  expect(sealed.code).toBe(1);
  expect(sealed.complained).toContain('it keeps its number of cells');
  const inFile = await home.run(
    ...['copy', '--to', `sqlite:${join(directory, 'x.db')}`, '--cells', '2'],
  );
  expect(inFile.code).toBe(2);
  expect(inFile.complained).toContain('has one cell');
});
