/** Which label given after the fact is the newest of its keys. */
import { expect, it } from 'vitest';
import {
  isSaidLast,
  noNotes,
  withNote,
} from '../../../../collector/projections/session/notes/notes.ts';
import { event } from '../support/given.ts';

const records = {
  ...{ since: null, until: null, project: null, branch: null, user: null },
  ...{ machine: null, host: null, provider: null, model: null },
};
const at = (minute: number) => `2026-11-22T10:0${minute}:00.000Z`;
const labelled = (minute: number, labels: Record<string, string>) =>
  event('pi.records.labelled.v1', { at: at(minute) }, { labels, records });

it('is the last with one of its keys, whatever others were given since', () => {
  const given = [
    labelled(1, { ticket: 'a' }),
    labelled(2, { ticket: 'b' }),
    labelled(3, { x: '1' }),
  ];
  const notes = given.reduce((before, each) => withNote(before, each as never), noNotes);
  const isLast = (labels: Record<string, string>) => isSaidLast(notes, { labels, records });
  expect(isLast({ ticket: 'b' })).toBe(true);
  expect(isLast({ x: '1' })).toBe(true);
  expect(isLast({ ticket: 'a' })).toBe(false);
  expect(isLast({ ticket: 'b', x: '1' })).toBe(false);
  expect(isLast({ y: '1' })).toBe(false);
  expect(isSaidLast(noNotes, { labels: { ticket: 'b' }, records })).toBe(false);
});

it('a note that is known changes nothing, in whatever order its labels stand', () => {
  const notes = withNote(noNotes, labelled(1, { a: '1', b: '2' }) as never);
  expect(withNote(notes, labelled(1, { b: '2', a: '1' }) as never)).toBe(notes);
  expect(notes.late).toHaveLength(1);
});
