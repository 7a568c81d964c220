import { type LedgerEvent, limits } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { checkOwn, createEventCheck, latestTime } from '../../../collector/ingest/event-check.ts';
import { exampleEvent } from '../support/events.ts';

const check = createEventCheck();
const latest = '2026-11-23T12:00:00.000Z';
const good = exampleEvent({ number: 1 });
const checked = (value: unknown) => check(value, latest);
const changed = (over: object) => checked(JSON.parse(JSON.stringify({ ...good, ...over })));

describe('an event', () => {
  it('that the contract knows is taken as it is, unknown fields included', () => {
    const event = { ...good, later: { more: 1 } };
    expect(checked(event)).toEqual({ kind: 'event', event });
    expect(checked(good)).toEqual({ kind: 'event', event: good });
  });

  it.each<[what: string, value: unknown, field: string, message: string]>([
    ['a number', 17, '', 'An event is a JSON object.'],
    ['nothing', null, '', 'An event is a JSON object.'],
    ['a list', [good], '', 'An event is a JSON object.'],
    ['what did not parse', undefined, '', 'An event is a JSON object.'],
    ['an object without a type', {}, '/type', 'An event has a type.'],
    ['an object whose type is no text', { type: 5 }, '/type', 'An event has a type.'],
  ])('is not %s', (_what, value, field, message) => {
    expect(checked(value)).toEqual({ kind: 'rejected', code: 'not_an_event', field, message });
  });

  it.each([
    [
      'pi.turn.imagined.v1',
      'unknown_type',
      'This collector does not know the type "pi.turn.imagined.v1".',
    ],
    ['', 'unknown_type', 'This collector does not know the type "".'],
    [
      'pi.turn.completed',
      'unknown_version',
      'This collector knows pi.turn.completed.v1, not "pi.turn.completed": ' +
        'producer and collector have different versions.',
    ],
    [
      'pi.turn.completed.v12',
      'unknown_version',
      'This collector knows pi.turn.completed.v1, not "pi.turn.completed.v12": ' +
        'producer and collector have different versions.',
    ],
    [
      'pi.turn.completed.v1.x',
      'unknown_type',
      'This collector does not know the type "pi.turn.completed.v1.x".',
    ],
  ])('of the type %j is rejected with the reason: %s', (type, code, message) => {
    expect(changed({ type })).toEqual({ kind: 'rejected', code, field: '/type', message });
  });

  it.each([
    [100, 'x'.repeat(100)],
    [101, `${'x'.repeat(100)}...`],
  ])('of a type of %d letters is answered with a hundred of them', (count, cited) => {
    expect(changed({ type: 'x'.repeat(count) })).toMatchObject({
      message: expect.stringContaining(`${JSON.stringify(cited)}.`),
    });
  });

  it.each<[what: string, over: object, field: string, message: string]>([
    ['lacks a field', { subject: undefined }, '/subject', 'The field is missing.'],
    [
      'lacks a field further in',
      { data: { ...good.data, entryId: undefined } },
      '/data/entryId',
      'The field is missing.',
    ],
    [
      'has a figure that is none',
      { data: { ...good.data, turnIndex: -1 } },
      '/data/turnIndex',
      'It must be >= 0.',
    ],
    [
      'has another value than is allowed',
      { specversion: '2.0' },
      '/specversion',
      'Not one of the allowed values.',
    ],
  ])('is refused where it %s, by its place', (_what, over, field, message) => {
    expect(changed(over)).toEqual({ kind: 'rejected', code: 'schema', field, message });
  });

  it('is rejected for the deepest of several errors: the one its author meant', () => {
    const { spend } = good.data as { spend: object };
    const both = { data: { ...good.data, turnIndex: -1, spend: { ...spend, inputTokens: -1 } } };
    expect(changed(both)).toMatchObject({ field: '/data/spend/inputTokens' });
  });

  it.each([
    [186, 'k'.repeat(186)],
    [187, `${'k'.repeat(186)}...`],
  ])('is not answered with all of a name of %d letters', (count, cited) => {
    const attribution = exampleEvent({
      number: 2,
      type: 'pi.session.attributed.v1',
      data: { billing: { ['k'.repeat(count)]: 5 } },
    });
    expect(checked(attribution)).toMatchObject({ code: 'schema', field: `/data/billing/${cited}` });
  });
});

describe('the time of an event', () => {
  const noDay = {
    kind: 'rejected',
    code: 'schema',
    field: '/time',
    message: 'This day does not exist.',
  };
  const ahead = { kind: 'rejected', code: 'time_in_future', field: '/time' };
  const taken = { kind: 'event' };

  it.each([
    ['2026-02-28T00:00:00.000Z', taken],
    ['2026-02-29T00:00:00.000Z', noDay],
    ['2024-02-29T00:00:00.000Z', taken],
    ['2026-02-31T00:00:00.000Z', noDay],
    ['2026-06-31T00:00:00.000Z', noDay],
    ['2026-10-31T23:59:59.999Z', taken],
    [latest, taken],
    ['2026-11-23T12:00:00.001Z', ahead],
    ['9999-12-31T00:00:00.000Z', ahead],
  ])('%s is a day, and no later than a clock may be wrong by, or not', (time, verdict) => {
    expect(changed({ time })).toMatchObject(verdict);
    expect(checkOwn({ ...good, time } as LedgerEvent, latest)).toMatchObject(verdict);
  });

  it('may be 24 hours ahead, and what is more says so', () => {
    expect(limits.futureMsMax).toBe(24 * 3_600_000);
    expect(latestTime(Date.parse('2026-11-22T12:00:00.000Z'))).toBe(latest);
    expect(changed({ time: '2027-01-01T00:00:00.000Z' })).toMatchObject({
      message: "It is more than 24 hours ahead of the collector's clock.",
    });
  });
});

describe('an event that this process has made', () => {
  it('is asked for its time alone', () => {
    const own = { time: good.time, type: 'of its own' } as unknown as LedgerEvent;
    expect(checkOwn(own, latest)).toEqual({ kind: 'event', event: own });
  });
});
