import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { entryEventId, liveEventId } from '../../../../core/record/identity/event-id.ts';

const timestamp = '2026-11-21T21:13:27.935Z';
const entry = { id: '5e46e792', timestamp, timeMs: Date.parse(timestamp) };
const identity = { responseId: 'chatcmpl-126', usage: { output: 600, input: 9000 } };

describe('entryEventId', () => {
  it('is a UUIDv8 that begins with the time of the entry in ms', () => {
    const id = entryEventId('pi.turn.completed.v1', entry, identity);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(timestamp));
  });

  it('continues with the SHA-256 of the entry’s identity', () => {
    const said =
      `["pi.turn.completed","5e46e792","${timestamp}",` +
      '"chatcmpl-126",{"input":9000,"output":600}]';
    const hash = createHash('sha256').update(said).digest('hex');
    const id = entryEventId('pi.turn.completed.v1', entry, identity).replaceAll('-', '');
    expect(id.slice(13, 16) + id.slice(17)).toBe(hash.slice(0, 3) + hash.slice(4, 19));
  });

  it('does not change with the version of the event type', () => {
    const next = entryEventId('pi.turn.completed.v2' as 'pi.turn.completed.v1', entry, identity);
    expect(next).toBe(entryEventId('pi.turn.completed.v1', entry, identity));
  });

  it.each([
    ['type', entryEventId('pi.tool.completed.v1', entry, identity)],
    ['entry id', entryEventId('pi.turn.completed.v1', { ...entry, id: '5e46e793' }, identity)],
    ['response id', entryEventId('pi.turn.completed.v1', entry, { ...identity, responseId: null })],
    [
      'usage',
      entryEventId('pi.turn.completed.v1', entry, {
        ...identity,
        usage: { input: 9000, output: 601 },
      }),
    ],
    [
      'text of the timestamp',
      entryEventId('pi.turn.completed.v1', { ...entry, timestamp: `${timestamp} ` }, identity),
    ],
  ])('changes with the %s', (_what, other) => {
    expect(other).not.toBe(entryEventId('pi.turn.completed.v1', entry, identity));
  });
});

describe('liveEventId', () => {
  it('is a UUIDv7 of the time it was drawn at, never the same twice', () => {
    const ids = Array.from({ length: 1_000 }, () => liveEventId(1_795_295_607_935));
    expect(new Set(ids).size).toBe(1_000);
    for (const id of ids)
      expect(id).toMatch(/^01a1fff4-fc7f-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
