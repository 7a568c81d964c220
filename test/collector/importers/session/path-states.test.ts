/** Path states of one file's entries; the newest are remembered. */
import { expect, it } from 'vitest';
import { createPathStates } from '../../../../collector/importers/session/path-states.ts';
import { type PathState, rootState } from '../../../../core/record/path-state.ts';

const place = (turns: number): PathState => ({ ...rootState, turns });

it('begins at the root, or at the last place that was saved', () => {
  expect(createPathStates([]).last).toBe(rootState);
  const places = createPathStates([
    ['a', place(1)],
    ['b', place(2)],
  ]);
  expect(places.last).toEqual(place(2));
  expect(places.at('a')).toEqual(place(1));
  expect(places.at('c')).toBeNull();
});

it('goes on from the last of several places', () => {
  const places = createPathStates([1, 2, 3].map((turns) => [`e${turns}`, place(turns)]));
  expect(places.last).toEqual(place(3));
});

it('saves the newest sixteen, oldest first; an entry that comes again is new', () => {
  const places = createPathStates([]);
  for (let index = 0; index < 20; index += 1) places.put(`e${index}`, place(index));
  places.put('e2', place(99));
  expect(places.last).toEqual(place(99));
  expect(places.newest()).toEqual([
    ...Array.from({ length: 15 }, (_, index) => [`e${index + 5}`, place(index + 5)]),
    ['e2', place(99)],
  ]);
});

it('forgets the oldest beyond 20,000', () => {
  const places = createPathStates([]);
  for (let index = 0; index < 20_000; index += 1) places.put(`e${index}`, place(index));
  expect(places.at('e0')).toEqual(place(0));
  places.put('one more', place(1));
  expect(places.at('e0')).toBeNull();
  expect(places.at('e1')).toEqual(place(1));
  expect(places.at('one more')).toEqual(place(1));
});
