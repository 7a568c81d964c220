/** Moves that make a record count more or less than once, though sums and units look right. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { compared, explained, fault, told } from './support/compared.ts';
import { moved } from './support/log-moves.ts';
import { aLedger, event, header, line, writeFile } from './support/two-sides.ts';

const directory = temporaryDirectory();
const one = { id: 'a1', second: 1 };
const two = { id: 'a2', second: 2, input: 20 };

/** A session file `s` with both entries. */
function files(): string {
  const root = mkdtempSync(join(directory, 'sides-'));
  writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
  return root;
}

it('a record that was taken out of its session and put into none is a fault', async () => {
  const entry = event('s', one);
  const events = [entry, event('s', two), moved('out', 's', entry)];
  expect(await told(files(), aLedger({ events }))).toEqual(fault('s moves_unpaired x1'));
  const { sessions } = await compared(files(), aLedger({ events }));
  expect(sessions[0]?.differences[0]).toMatchObject({
    reason: 'moves_unpaired',
    entryId: 'a1',
    eventId: entry.id,
    inLog: 'counts 0x',
  });
});

it('a record taken out that was never there is a fault, also beside copies', async () => {
  const root = files();
  writeFile(root, 'old.jsonl', [header('old', -9), line({ id: 'o1', second: -8 })]);
  const copied = line({ id: 'o1', second: -8 });
  writeFile(root, 's.jsonl', [header('s', 0), copied, line(one), line(two)]);
  const elsewhere = event('gone', { id: 'g1', second: 3 });
  const events = [
    event('old', { id: 'o1', second: -8 }),
    event('s', one),
    event('s', two),
    elsewhere,
    moved('out', 's', elsewhere),
    moved('in', 'x', elsewhere),
  ];
  const { isExplained, told: lines } = await told(root, aLedger({ events }));
  expect(isExplained).toBe(false);
  expect(lines).toContain('s copied x1');
  expect(lines).toContain('s moves_unpaired x1');
});

it('a record that was put into a session twice is a fault', async () => {
  const entry = event('b', one);
  const events = [
    entry,
    event('s', two),
    moved('out', 'b', entry),
    moved('in', 's', entry),
    moved('in', 's', entry),
  ];
  expect((await told(files(), aLedger({ events }))).told).toContain('s moves_unpaired x1');
});

it('a record that was put into a session, but not taken out of its own, is a fault', async () => {
  const entry = event('b', one);
  const events = [entry, event('s', two), moved('in', 's', entry)];
  expect((await told(files(), aLedger({ events }))).told).toContain('s moves_unpaired x1');
});

it('a record taken out of a session that never had it is a fault, though it sums up', async () => {
  const entry = event('b', one);
  const events = [entry, event('s', two), moved('out', 'x', entry), moved('in', 's', entry)];
  expect((await told(files(), aLedger({ events }))).told).toContain('x moves_unpaired x1');
});

it('is a fault, too, where other records of a file make up for it', async () => {
  const other = { id: 'a3', second: 3, input: 30 };
  const root = files();
  const third = { id: 'a4', second: 4, input: 40 };
  writeFile(root, 'x.jsonl', [header('x', 0), line(other), line(third)]);
  const entry = event('b', one);
  const events = [
    entry,
    event('s', two),
    event('x', other),
    event('x', third),
    moved('out', 'x', entry),
    moved('in', 's', entry),
  ];
  expect((await told(root, aLedger({ events }))).told).toContain('x moves_unpaired x1');
});

it('is none where a collector takes the record while others are read one by one', async () => {
  const [first, second] = [event('s', one), event('s', two)];
  let readings = 0;
  const ledger = aLedger({
    events: [first],
    onAsk(path, { events }) {
      if (path.startsWith('/v1/log?after=0&') && ++readings === 2) events.push(second);
    },
  });
  expect((await told(files(), ledger)).told).not.toContain('s moves_unpaired x1');
  expect([readings, ledger.events.length]).toEqual([2, 2]);
});

it.each([
  ['into another session', ['out b', 'in s']],
  ['by way of a third', ['out b', 'in c', 'out c', 'in s']],
  ['in whatever order the log tells of it', ['in s', 'out b']],
  ['there, back and there again', ['out b', 'in s', 'out s', 'in b', 'out b', 'in s']],
])('a record that was moved %s is right', async (_how, moves) => {
  const entry = event('b', one);
  const steps = moves.map((step) => {
    const [role = '', session = ''] = step.split(' ');
    return moved(role === 'in' ? 'in' : 'out', session, entry);
  });
  const ledger = aLedger({ events: [entry, event('s', two), ...steps] });
  expect(await told(files(), ledger)).toEqual(explained());
});
