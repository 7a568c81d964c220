/** A part of a session: what a drag or a key chooses, and what stands in the URL for it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentOf, partOf } from '../../../../dashboards/web/views/sessions/chart/content.ts';
import { type Slot, slotsOf } from '../../../../dashboards/web/views/sessions/chart/slots.ts';
import {
  around,
  between,
  type Stretch,
  stretchAfter,
  stretchIn,
  stretchWords,
  timesOf,
} from '../../../../dashboards/web/views/sessions/chart/stretch.ts';
import { itemOf, pointOf, second } from '../support/session-answers.ts';

const slotsUntil = (turns: number): readonly Slot[] =>
  slotsOf(
    Array.from({ length: turns }, (_, index) =>
      pointOf({ entryId: `t${index + 1}`, turn: index + 1, time: second(10 * (index + 1)) }),
    ),
    [],
  );
const slots = slotsUntil(20);
const all: Stretch = { first: 0, last: 19 };

describe('a part of a session', () => {
  it('in the URL has the columns that were chosen, whichever they are', () => {
    fc.assert(
      fc.property(fc.nat(19), fc.nat(19), (one, other) => {
        const stretch = between(one, other);
        expect(stretch.first).toBeLessThanOrEqual(stretch.last);
        expect(stretchIn(timesOf(stretch, slots), slots)).toEqual(stretch);
      }),
    );
  });

  it('begins after the answer before it, so that what led to its first turn is in it', () => {
    expect(timesOf({ first: 3, last: 4 }, slots)).toEqual({
      from: new Date(Date.parse(second(30)) + 1).toISOString(),
      to: new Date(Date.parse(second(50)) + 1).toISOString(),
    });
  });

  it('is none where nothing is named, or nothing is in it, or it is no time', () => {
    expect(stretchIn({}, slots)).toBeNull();
    expect(stretchIn({ from: second(9_000) }, slots)).toBeNull();
    expect(stretchIn({ from: 'odd', to: 'odd' }, slots)).toEqual(all);
    expect(stretchIn({ from: second(0) }, [])).toBeNull();
  });

  it('of a click has the column in its middle, and is as wide as before', () => {
    expect(around(10, null, 20)).toEqual({ first: 9, last: 10 });
    expect(around(10, { first: 0, last: 4 }, 20)).toEqual({ first: 8, last: 12 });
    expect(around(19, { first: 0, last: 4 }, 20)).toEqual({ first: 15, last: 19 });
    expect(around(0, null, 1)).toEqual({ first: 0, last: 0 });
  });

  it.each([
    ['+', { first: 5, last: 14 }],
    ['-', null],
    ['ArrowRight', all],
    ['Escape', undefined],
    ['Tab', undefined],
  ] as const)('after %s on all of it is as expected', (key, expected) => {
    expect(stretchAfter(key, null, 20)).toEqual(expected);
  });

  it.each([
    ['+', { first: 9, last: 10 }],
    ['-', { first: 6, last: 13 }],
    ['ArrowRight', { first: 9, last: 12 }],
    ['ArrowLeft', { first: 7, last: 10 }],
    ['Home', { first: 0, last: 3 }],
    ['End', { first: 16, last: 19 }],
    ['Escape', null],
  ] as const)('after %s on four columns is as expected', (key, expected) => {
    expect(stretchAfter(key, { first: 8, last: 11 }, 20)).toEqual(expected);
  });

  it('never leaves the session, whatever keys are pressed', () => {
    const keys = fc.constantFrom('+', '-', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Escape');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(keys), (count, pressed) => {
        let stretch: Stretch | null = null;
        for (const key of pressed) {
          const next: Stretch | null | undefined = stretchAfter(key, stretch, count);
          if (next !== undefined) stretch = next;
          if (stretch === null) continue;
          expect(stretch.first).toBeGreaterThanOrEqual(0);
          expect(stretch.last).toBeLessThan(count);
          expect(stretch.last).toBeGreaterThanOrEqual(stretch.first);
        }
      }),
    );
  });

  it('is told in turns', () => {
    expect(stretchWords(null, slots)).toBe('all 20 turns');
    expect(stretchWords({ first: 3, last: 3 }, slots)).toBe('turn 4 of 20');
    expect(stretchWords({ first: 3, last: 9 }, slots)).toBe('turns 4 to 10 of 20');
  });
});

describe('what is drawn of a part', () => {
  const prompt = (name: string, at: number) =>
    itemOf({ kind: 'prompt', entryId: name, time: second(at), turn: 0 });
  const merged = {
    ...{ prompts: 3, turns: 2, failedTurns: 0 },
    ...{ tools: 0, failedTools: 0, retries: 0, waits: 0, subagents: 0 },
    ...{ others: 0, unpriced: 0, unreported: 0 },
  };
  const items = [
    prompt('p1', 1),
    itemOf({ entryId: 't1', time: second(10), turn: 1 }),
    itemOf({ kind: 'merged', entryId: 'm', time: second(20), turn: 2, merged }),
    prompt('p5', 21),
    itemOf({ entryId: 't3', time: second(30), turn: 3 }),
    itemOf({ entryId: 't4', time: second(40), turn: 4 }),
  ];
  const whole = contentOf(
    slotsUntil(4).map(({ point }) => point),
    items,
  );
  const namesOf = ({ spans }: typeof whole) => spans.map(({ item }) => item.entryId);

  it('has its columns, what led to the first of them, and how many prompts came before', () => {
    const part = partOf(whole, { first: 2, last: 2 }, null);
    expect(part.slots.map(({ point }) => point.turn)).toEqual([3]);
    expect(namesOf(part)).toEqual(['p5', 't3']);
    expect(part.promptsBefore).toBe(4);
    expect(whole.promptsBefore).toBe(0);
  });

  it('is what was told of it alone, once that is there', () => {
    const told = [itemOf({ kind: 'tool', entryId: 'r3', time: second(25), turn: 3 })];
    expect(namesOf(partOf(whole, { first: 2, last: 3 }, told))).toEqual(['r3']);
  });
});
