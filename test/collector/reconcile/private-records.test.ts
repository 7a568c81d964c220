/** Records made while recording was paused: in no total, and a fault where the log has them. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { compared, explained, fault, told } from './support/compared.ts';
import { aLedger, at, event, header, line, live, writeFile } from './support/two-sides.ts';

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'sides-'));
});

const one = { id: 'a1', second: 1 };
const two = { id: 'a2', second: 2, input: 20 };
const paused = {
  type: 'custom',
  customType: 'pi-ledger.recording',
  id: 'p1',
  parentId: null,
  timestamp: at(1),
  data: { state: 'paused' },
};

it('what is private in a file is explained, with its number', async () => {
  const hidden = [paused, line(two), line({ id: 'a3', second: 3 })];
  writeFile(root, 's.jsonl', [header('s', 0), line(one), ...hidden]);
  const ledger = aLedger({ events: [event('s', one)] });
  expect(await told(root, ledger)).toEqual(explained('s private x2'));
});

it.each([
  ['live', live],
  ['by an importer', event],
])('a private record that was recorded %s is a fault, with its place', async (_how, record) => {
  writeFile(root, 's.jsonl', [header('s', 0), line(one), paused, line(two)]);
  const recorded = record('s', two);
  const ledger = aLedger({ events: [event('s', one), recorded] });
  expect(await told(root, ledger)).toEqual(fault('s private x1', 's private_in_log x1'));
  const { sessions } = await compared(root, ledger);
  expect(sessions[0]?.differences[1]).toMatchObject({
    kind: 'turn',
    entryId: 'a2',
    at: at(2),
    position: 2,
    eventId: recorded.id,
  });
});
