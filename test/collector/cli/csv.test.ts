import { expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { startCollector } from '../../../collector/main.ts';
import { commandLineOn } from '../support/command-line.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { exampleEvent } from '../support/events.ts';

/** More than two pages of the API. */
const sessions = 2_100;

it('prints every row of a report as CSV, with and without a collector', async () => {
  const events = Array.from({ length: sessions }, (_, n) =>
    exampleEvent({ number: n + 1, subject: `s-${n}` }),
  );
  const directory = temporaryDirectory();
  const ledger = await commandLineOn(directory, events);
  const csv = async () =>
    (await ledger.run('report', '--by', 'session', '--csv')).printed.split('\r\n');
  const lines = await csv();
  expect(lines).toHaveLength(1 + sessions);
  expect(lines.filter((line) => line.startsWith('session,records'))).toEqual([lines[0]]);
  expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(sessions);

  const collector = await startCollector(
    loadCollectorConfig({ PI_LEDGER_HOME: `${directory}/home`, PI_LEDGER_PORT: '0' }),
    {
      logStream: null,
    },
  );
  try {
    expect(await csv()).toEqual(lines);
  } finally {
    await collector.stop();
  }
});

it('prints as many requests as CSV as it was asked for', async () => {
  const events = [1, 2, 3].map((number) => exampleEvent({ number, subject: `s-${number}` }));
  const ledger = await commandLineOn(temporaryDirectory(), events);
  const { printed } = await ledger.run('requests', '--csv', '--limit', '2');
  expect(printed.split('\r\n')).toHaveLength(1 + 2);
});
