/** Which records' moves are odd, and when the log is read again to tell. */
import { expect, it } from 'vitest';
import { type LogRow, readEvent } from '../../../collector/reconcile/log-events.ts';
import { createMovePairs } from '../../../collector/reconcile/move-pairs.ts';
import { moved } from './support/log-moves.ts';
import { anEvent, event } from './support/two-sides.ts';

const entry = event('a', { id: 'a1', second: 1 });
const others = [event('b', { id: 'b1', second: 2 }), anEvent('pi.session.started.v1', 'b', 0, {})];

/** `steps` like `out a`. What is odd, and how often the log was read for it. */
async function oddOf(steps: readonly string[], isInLog = true) {
  const pairs = createMovePairs();
  for (const step of steps) {
    const [role, session = ''] = step.split(' ');
    const said = readEvent(moved(role === 'in' ? 'in' : 'out', session, entry));
    if (said.about !== 'move') throw new Error(`no move: ${step}`);
    pairs.add(said.move);
  }
  let readings = 0;
  async function* rows(): AsyncGenerator<LogRow> {
    readings += 1;
    for (const each of isInLog ? [entry, ...others] : others) yield { event: each, position: 1 };
  }
  const odd = await pairs.unpaired(rows);
  return [odd.map(({ eventId, unit, count }) => [eventId, unit.sessionId, count]), readings];
}

it.each([
  ['none', []],
  ['from one session into another', ['out a', 'in b']],
  ['told the other way round', ['in b', 'out a']],
  ['by way of a third', ['out a', 'in b', 'out b', 'in c']],
  ['there and back', ['out a', 'in b', 'out b', 'in a']],
])('moves in pairs are right without reading again: %s', async (_how, steps) => {
  expect(await oddOf(steps)).toEqual([[], 0]);
});

it.each([
  ['one', ['in b']],
  ['several', ['in c', 'out c', 'in b']],
])('a record that only its moves tell of counts once: %s', async (_how, steps) => {
  expect(await oddOf(steps, false)).toEqual([[], 1]);
});

it.each([
  ['put in twice', ['out a', 'in b', 'in b'], 'b', 2],
  ['put into two sessions', ['out a', 'in b', 'in c'], 'c', 2],
  ['put in, and never taken out', ['in b'], 'b', 2],
  ['taken out alone', ['out a'], 'a', 0],
  ['taken out twice', ['out a', 'out a', 'in b'], 'b', 0],
  ['taken out and put in twice', ['out a', 'out a', 'in b', 'in b'], 'b', 1],
  ['taken out of two sessions', ['out a', 'out c', 'in b'], 'b', 0],
])('a record is odd that was %s', async (_how, steps, session, count) => {
  expect(await oddOf(steps)).toEqual([[[entry.id, session, count]], 1]);
});
