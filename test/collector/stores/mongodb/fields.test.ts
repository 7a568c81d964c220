import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeField,
  encodeBound,
  encodeField,
} from '../../../../collector/stores/mongodb/views/fields.ts';

const names = ['day', 'hour', 'startedAt', 'project'] as const;

describe('fields of MongoDB documents', () => {
  it.each([
    ['day', '2026-11-22', new Date('2026-11-22T00:00:00.000Z')],
    ['hour', '2026-11-22T07', new Date('2026-11-22T07:00:00.000Z')],
    ['lastSeenAt', '2026-11-22T07:08:09.010Z', new Date('2026-11-22T07:08:09.010Z')],
    ['project', '2026-11-22', '2026-11-22'],
    ['day', '', ''],
    ['day', '2026-11-22T07', '2026-11-22T07'],
    ['day', '2026-02-30', '2026-02-30'],
    ['lastSeenAt', '2026-02-30T00:00:00.000Z', '2026-02-30T00:00:00.000Z'],
    ['ignored', 1, 1n],
    ['label', null, null],
  ])('%s %s is %s', (name, value, expected) => {
    expect(encodeField(name, value)).toEqual(expected);
  });

  it('read back are what was written, whatever it was', () => {
    const day = fc
      .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString());
    const value = fc.oneof(
      fc.string(),
      fc.constant(null),
      fc.maxSafeInteger(),
      day,
      fc.tuple(day, fc.nat(24)).map(([text, end]) => text.slice(0, end)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), value, (name, written) => {
        expect(decodeField(name, encodeField(name, written))).toBe(written);
      }),
    );
  });

  it('compare as their texts do', () => {
    const day = fc
      .date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString());
    fc.assert(
      fc.property(day, day, (one, other) => {
        const [left, right] = [
          encodeBound('startedAt', one) as Date,
          encodeBound('startedAt', other) as Date,
        ];
        expect(Math.sign(left.getTime() - right.getTime())).toBe(
          one < other ? -1 : one > other ? 1 : 0,
        );
      }),
    );
  });

  it('bound a range of dates also by a text that is none', () => {
    expect(encodeBound('day', '2026-11')).toEqual(new Date('2026-11-01T00:00:00.000Z'));
    expect(encodeBound('day', '')).toEqual(new Date(-8.64e15));
    expect(encodeBound('day', 'z')).toEqual(new Date(8.64e15));
    expect(encodeBound('project', '')).toBe('');
  });
});
