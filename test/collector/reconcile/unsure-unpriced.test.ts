/** Records that two sessions of the log have, one of them without the price; files are gone. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { compared, explained, fault, told } from './support/compared.ts';
import { aLedger, anEvent, event, spendOf } from './support/two-sides.ts';

const directory = temporaryDirectory();
const root = mkdtempSync(join(directory, 'sides-'));

const one = { id: 'a1', second: 1 };
const unpriced = { costNanoUsd: null, costSource: 'unpriced' };
const fromOmp = { source: '/importers/omp' };
const unsure = { ...fromOmp, ownership: 'unsure' };

it('a record that an omp fork has again without its price is a fault, with its place', async () => {
  const copy = event('b', one, unsure, unpriced);
  const ledger = aLedger({ events: [event('a', one, fromOmp), copy] });
  expect(await told(root, ledger)).toEqual(
    fault('a file_gone x1', 'b file_gone x1', 'b twice_in_log x1'),
  );
  const { sessions } = await compared(root, ledger);
  expect(sessions[1]?.differences[1]).toMatchObject({
    entryId: 'a1',
    position: 2,
    eventId: copy.id,
  });
});

const claim = (subject: string, more: object = {}, spend: object = {}) =>
  anEvent(
    'pi.subagent.claimed.v1',
    subject,
    1,
    { entryId: 'a1', key: 'agent:A', claimed: { ...spendOf(one), ...spend } },
    { ...fromOmp, ...more },
  );

it.each<[what: string, priced: object, copy: object]>([
  ['is the record of a fork', event('a', one, unsure), event('b', one, fromOmp, unpriced)],
  ['surely belongs to its session', event('a', one), event('b', one, fromOmp, unpriced)],
  [
    'has an empty note on whose it is',
    event('a', one),
    event('b', one, { ...fromOmp, ownership: null }, unpriced),
  ],
  [
    'comes from another host, which copies prices',
    event('a', one),
    event('b', one, { ownership: 'unsure' }, unpriced),
  ],
])('a record that %s is not taken for a copy without its price', async (_what, priced, copy) => {
  const ledger = aLedger({ events: [{ ...priced }, { ...copy }] });
  expect(await told(root, ledger)).toEqual(explained('a file_gone x1', 'b file_gone x1'));
});

it('a claim without a price is not taken for a copy of another session’s claim', async () => {
  const ledger = aLedger({ events: [claim('a'), claim('b', unsure, unpriced)] });
  expect((await told(root, ledger)).told.filter((each) => each.includes('twice'))).toEqual([]);
});
