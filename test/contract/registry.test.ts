import { Envelope, type EventType, eventTypes } from '@pi-ledger/contract';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';

const envelope = Compile(Envelope);

/** Events about a file's header, or in addition to the event of the entry itself. */
const aside = [
  'pi.recording.switched.v1',
  'pi.session.started.v1',
  'pi.session.copied.v1',
  'pi.subagent.claimed.v1',
  'pi.subagent.accounted.v1',
  'pi.subagent.linked.v1',
  'pi.attempt.estimated.v1',
];

describe.each(eventTypes.map((eventType) => [eventType.type, eventType as EventType] as const))(
  '%s',
  (type, eventType) => {
    const data = Compile(eventType.data);

    it('accepts its own example', () => {
      expect([...data.Errors(eventType.example)]).toEqual([]);
    });

    const required: readonly string[] = eventType.data.required ?? [];
    it.each(Object.keys(eventType.data.properties))(
      'misses the field %s when it is left out, unless it came later',
      (field) => {
        const { [field]: _left, ...rest } = eventType.example as Record<string, unknown>;
        expect(data.Check(rest)).toBe(!required.includes(field));
      },
    );

    it('is named by subject, past verb and version', () => {
      expect(type).toMatch(/^pi\.[a-z]+\.[a-z]+(ed|en|wn)\.v[1-9]$/);
    });

    it('says where an entry stands exactly when it says what an entry says', () => {
      const namesItsEntry =
        'promptEntryId' in eventType.data.properties && 'sizes' in eventType.data.properties;
      expect(namesItsEntry || aside.includes(type)).toBe(eventType.basis === 'entry');
    });
  },
);

describe('the envelope', () => {
  const event = {
    specversion: '1.0',
    id: '01a1fff3-f500-8217-95c2-a1e195f7b3f4',
    source: '/producers/01a1fff3-f500-7217-95c2-a1e195f7b3f4',
    type: 'pi.session.ended.v1',
    time: '2026-11-21T21:12:20.481Z',
    subject: '01a1fff3-f500-7217-95c2-a1e195f7b3f4',
    sequence: '0000000001',
    data: {},
  };

  it('accepts a CloudEvent with and without a sequence', () => {
    const { sequence: _sequence, ...imported } = event;
    expect([envelope.Check(event), envelope.Check(imported)]).toEqual([true, true]);
  });

  it.each([
    ['specversion', '0.3'],
    ['id', '01a1fff3-f500-4217-95c2-a1e195f7b3f4'],
    ['time', '2026-11-21T21:12:20Z'],
    ['time', '2026-11-21T21:12:20.481+01:00'],
    ['subject', ''],
    ['sequence', '1'],
    ['data', null],
  ])('refuses %s = %j', (field, value) => {
    expect(envelope.Check({ ...event, [field]: value })).toBe(false);
  });

  it('names each type once', () => {
    expect(new Set(eventTypes.map((eventType) => eventType.type)).size).toBe(eventTypes.length);
  });
});
