/** Where the clocks change twice a year. A thread has no zone of its own: not for mutants. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGuesser } from '../../../../collector/importers/attribution.ts';
import { answer, append, newSession } from '../../../extension/support/fake-session.ts';
import { file, header, read, turn } from '../support/read.ts';
import { attributions, recorded } from '../support/recorded.ts';

const zone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

it('knows the offset of this machine at every time, as its zone changes', () => {
  const guesser = createGuesser({
    user: 'ada',
    machine: 'desk',
    projectOf: () => ({}) as never,
    version: '0.1.0',
  });
  const change = Date.parse('2026-03-29T01:00:00.000Z');
  const offsets = [change - 1, change, change + 1, change - 1, change - 900_000].map(
    guesser.utcOffsetMinutes,
  );
  expect(offsets).toEqual([60, 120, 120, 60, 60]);
});

it('says whose a session was again when the clocks change, and then only on continuing', () => {
  const session = newSession('s', Date.parse('2026-10-24T22:00:00.000Z'));
  const times = [
    '2026-10-24T23:00:00.000Z',
    '2026-10-25T01:00:00.000Z',
    '2026-10-25T01:30:00.000Z',
  ];
  for (const [index, time] of times.entries())
    append(session, `a${index}`, Date.parse(time), answer(`r${index}`));
  const { begun, drafts, standing } = recorded(session);
  expect(
    attributions([...begun, ...drafts]).map(({ time, data }) => [
      time,
      (data as { utcOffsetMinutes: number }).utcOffsetMinutes,
    ]),
  ).toEqual([
    ['2026-10-24T22:00:00.000Z', 120],
    ['2026-10-25T01:00:00.000Z', 60],
  ]);
  const next = newSession('s', Date.parse('2026-10-24T22:00:00.000Z'));
  append(next, 'a3', Date.parse('2026-10-25T02:00:00.000Z'), answer('r3'));
  expect(attributions(recorded(next, { standing }).drafts)).toEqual([]);
});

it('names the loss of an answer without a time, whatever the offset was in 1970', () => {
  process.env.TZ = 'Europe/London'; // an hour ahead, all year round, until 1971
  const timeless = turn.replace(/"timestamp":"[^"]+"/, '"timestamp":"soon"');
  expect(read(file(header, turn, timeless)).issues).toMatchObject([
    { code: 'no_time', line: 3, mayHoldSpend: true },
  ]);
});
