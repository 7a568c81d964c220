import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addSwitch,
  decodeSwitches,
  encodeSwitches,
  privateSummary,
  removeSwitch,
  type Switches,
} from '../../../../collector/projections/session/switches.ts';
import type { LedgerEvent } from '../../../../contract/index.ts';

const at = (minute: number) => `2026-03-01T09:${String(minute).padStart(2, '0')}:00.000Z`;
const switched = (minute: number, entries: number | null) =>
  ({
    type: 'pi.recording.switched.v1',
    time: at(minute),
    data: { entryId: `e${minute}`, state: entries === null ? 'paused' : 'resumed', entries },
  }) as LedgerEvent<'pi.recording.switched.v1'>;

function folded(events: readonly LedgerEvent<'pi.recording.switched.v1'>[]): Switches {
  const switches: Switches = new Map();
  for (const event of events) addSwitch(switches, event);
  return switches;
}

it('adds up what is private, and says since when it is paused', () => {
  expect(privateSummary(folded([]))).toBeNull();
  expect(privateSummary(folded([switched(1, null)]))).toEqual({ entries: 0, pausedSince: at(1) });
  expect(privateSummary(folded([switched(1, null), switched(2, 4)]))).toEqual({
    entries: 4,
    pausedSince: null,
  });
  const again = [switched(1, null), switched(2, 4), switched(3, null), switched(4, null)];
  expect(privateSummary(folded(again))).toEqual({ entries: 4, pausedSince: at(3) });
});

it('is a function of the set of events, and survives being stored', () => {
  const event = fc
    .tuple(fc.nat(59), fc.option(fc.nat(9)))
    .map(([minute, entries]) => switched(minute, entries));
  fc.assert(
    fc.property(
      fc
        .uniqueArray(event, { selector: ({ time }) => time })
        .chain((events) =>
          fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
        ),
      ([events, shuffled]) => {
        const switches = folded([...shuffled, ...shuffled]);
        expect(encodeSwitches(switches)).toEqual(encodeSwitches(folded(events)));
        expect(decodeSwitches(encodeSwitches(switches))).toEqual(
          folded([...events].sort((left, right) => (left.time < right.time ? -1 : 1))),
        );
        for (const each of events) removeSwitch(switches, each);
        expect(privateSummary(switches)).toBeNull();
      },
    ),
  );
});

it('keeps the newest of very many', () => {
  const many = Array.from({ length: 1_002 }, (_, index) => ({
    ...switched(1, 1),
    data: { entryId: `e${String(index).padStart(5, '0')}`, state: 'resumed' as const, entries: 1 },
  }));
  const switches = folded(many);
  expect(switches.size).toBe(1_000);
  expect(encodeSwitches(switches)[0]?.entryId).toBe('e00002');
});
