import { describe, expect, it } from 'vitest';
import { readEvent } from '../../../collector/log/stored-event.ts';
import { exampleEvent } from '../support/events.ts';

const event = exampleEvent({ number: 1 });
const row = { position: 3, receivedAtMs: 4, eventId: event.id };
const read = (text: string, eventId = event.id) => readEvent({ ...row, eventId, text });
const changed = (over: object) => JSON.stringify({ ...event, ...over });

describe('a stored text', () => {
  it('is its event, with its place', () => {
    expect(read(JSON.stringify(event))).toEqual({
      position: 3,
      receivedAtMs: 4,
      event,
    });
  });

  it.each([
    ['is not JSON', '{"id":', 'it is no longer JSON'],
    ['is nothing', '', 'it is no longer JSON'],
    ['is null', 'null', 'it belongs to another event'],
    [
      'is another event',
      JSON.stringify(exampleEvent({ number: 2 })),
      'it belongs to another event',
    ],
    ['lost its id', changed({ id: undefined }), 'it belongs to another event'],
    ['lost its type', changed({ type: 5 }), 'it is no longer an event'],
    ['lost its source', changed({ source: null }), 'it is no longer an event'],
    ['lost its session', changed({ subject: undefined }), 'it is no longer an event'],
    ['lost its time', changed({ time: 0 }), 'it is no longer an event'],
    ['lost its data', changed({ data: null }), 'it is no longer an event'],
    ['has a text for its data', changed({ data: 'x' }), 'it is no longer an event'],
  ])(
    'that %s is a damaged event in its place, which carries nothing of it',
    (_what, text, damage) => {
      const { event: found, ...place } = read(text);
      expect(place).toEqual({
        position: 3,
        receivedAtMs: 4,
        damage: expect.stringContaining(damage),
      });
      expect(found).toEqual({
        specversion: '1.0',
        id: event.id,
        source: '',
        type: 'damaged',
        time: '',
        subject: '',
        data: {},
      });
    },
  );
});
