/** Records in the topics that neither a gateway nor a worker wrote. */
import { expect, it } from 'vitest';
import { createCourt } from '../../../../collector/cells/kafka/claims.ts';
import type { IncomingRecord } from '../../../../collector/ingest/kafka/kafka.ts';
import { receivedAtOf, refusedIn } from '../../../../collector/ingest/kafka/records.ts';
import { exampleEvent } from '../../support/events.ts';

const letter = { code: 'schema', field: '', message: 'why', body: '{}' };

function record(value: unknown, received = '1700000000000'): IncomingRecord {
  return {
    ...{ topic: 'topic', partition: 0, offset: '0', headers: { received } },
    value: typeof value === 'string' ? value : JSON.stringify(value),
  };
}

it.each(['x', '1.5', '-5', '5', '99999999999999999999999', ''])(
  'a refusal with the sequence %j is not from a gateway',
  (sequence) => {
    const place = { source: '/producers/one', sequence };
    expect(refusedIn(record({ letter, place }))).toBeNull();
  },
);

it.each(['', 's'.repeat(201)])('nor is one of a source of no or too many characters', (source) => {
  expect(refusedIn(record({ letter, place: { source, sequence: '0000000001' } }))).toBeNull();
});

it('a refusal as gateways write it is kept, with and without a place', () => {
  const place = { source: '/producers/one', sequence: '0000000001' };
  expect(refusedIn(record({ letter, place }))).toEqual({ letter, place });
  expect(refusedIn(record({ letter, place: null }))).toEqual({ letter, place: null });
});

it.each([
  ['1700000000000', 1_700_000_000_000],
  ['253402300799999', 253_402_300_799_999],
  ['253402300800000', null],
  ['9007199254740991', null],
  ['-1', null],
  ['soon', null],
])('a time of receipt is one that can be written: %s', (text, ms) => {
  expect(receivedAtOf(record('', text))).toBe(ms);
});

it('passes over what is no claim, and settles those behind it', async () => {
  const settled: string[] = [];
  const court = createCourt({
    settle: async ([event]) => void settled.push(event?.subject ?? ''),
    now: () => Date.parse('2026-11-27T00:00:00Z'),
    onError: () => undefined,
  });
  const event = exampleEvent({ number: 1, subject: 'first' });
  const strange = [
    ...['', '[1]', { id: 'x', type: event.type, subject: 's', time: 't' }],
    ...[
      { ...event, data: null },
      { ...event, ownership: 'weird' },
      { ...event, subject: '' },
    ],
  ];
  await court(
    [event, ...strange, { ...event, subject: 'last' }].map((value) => record(value)),
    new AbortController().signal,
  );
  expect(settled).toEqual(['first', 'last']);
});
