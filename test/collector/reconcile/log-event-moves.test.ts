/** Moved entries and copies without a price, as events of the log. */
import { describe, expect, it } from 'vitest';
import { isUnpricedCopy, readEvent } from '../../../collector/reconcile/log-events.ts';
import { event, spend } from './support/log-events.ts';
import { aClaim, aUnit } from './support/units.ts';

const turn = (over: object = {}) =>
  event('pi.turn.completed.v1', { entryId: 'e1', spend: { ...spend, ...over } });

describe('an entry that was moved', () => {
  const moved = (over: object = {}) =>
    readEvent({
      ...event('pi.entry.moved.v1', {
        eventId: 'moved',
        role: 'in',
        ownership: 'named',
        event: turn(),
        ...over,
      }),
      subject: 'to',
    });

  it.each([
    ['in', true],
    ['out', false],
  ])('%s is a move of its record', (role, isIn) => {
    expect(moved({ role })).toMatchObject({
      about: 'move',
      move: { eventId: 'moved', isIn, isCopy: false, unit: { sessionId: 's', nanoUsd: 7 } },
    });
  });

  it('stands under the session of the event that moves it, where it does not say so itself', () => {
    const { subject: _, ...entry } = turn();
    expect(moved({ event: entry })).toMatchObject({
      move: { unit: { sessionId: 'to', entryId: 'e1' } },
    });
  });

  it.each([
    ['that stays', { role: 'stay' }],
    ['that is no record', { event: event('pi.session.started.v1', {}) }],
    ['that is an account', { event: event('pi.subagent.accounted.v1', { accounted: spend }) }],
  ])('%s counts nowhere else', (_what, over) => expect(moved(over)).toEqual({ about: 'other' }));

  it('may be a copy that lost its price', () => {
    const unpriced = turn({ costNanoUsd: null, costSource: 'unpriced' });
    expect(moved({ event: unpriced })).toMatchObject({ move: { isCopy: true } });
    expect(moved({ event: unpriced, ownership: 'certain' })).toMatchObject({
      move: { isCopy: false },
    });
  });
});

describe('a copy that lost its price', () => {
  const unpriced = aUnit({ priceSource: 'unpriced', nanoUsd: null });

  it.each([
    ['named', unpriced, true],
    ['assumed', unpriced, true],
    ['unsure', unpriced, false],
    [undefined, unpriced, false],
    ['named', aUnit(), false],
    ['named', { ...unpriced, reported: false }, false],
    ['named', aClaim({ priceSource: 'unpriced', nanoUsd: null }), false],
  ])('is one that a copy tells of somebody else (%s): case %#', (ownership, unit, isCopy) => {
    expect(isUnpricedCopy(ownership, unit)).toBe(isCopy);
  });
});
