import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvent } from '../../support/events.ts';
import { newHome } from './homes.ts';
import { contentOf } from './stores.ts';

const directory = temporaryDirectory();

it('what another ledger says of its budgets is not taken for a word about these', async () => {
  const home = newHome(directory);
  const file = join(directory, 'other.ndjson');
  const events = [
    exampleEvent({ number: 1, type: 'pi.budget.defined.v1', sequence: 0 }),
    exampleEvent({ number: 2 }),
    exampleEvent({ number: 3, type: 'pi.budget.crossed.v1', sequence: 0 }),
  ];
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  expect(await home.run('import-events', file)).toMatchObject({
    code: 0,
    printed: expect.stringContaining("2 events are about the other ledger's budgets and left out."),
  });
  const { events: stored } = await contentOf(
    `sqlite:${join(home.env.PI_LEDGER_HOME ?? '', 'ledger.db')}`,
  );
  expect(stored.map(({ eventId }) => eventId)).toEqual([events[1]?.id]);
});
