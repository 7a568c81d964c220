import { expect, it } from 'vitest';
import { privateWords } from '../../../../dashboards/web/views/sessions/session/words.ts';

it('says what is private of a session, not that something is unknown', () => {
  expect(privateWords(null)).toEqual([]);
  expect(privateWords({ entries: 1, pausedSince: null })).toEqual([
    'private: 1 entry not recorded',
  ]);
  expect(privateWords({ entries: 12, pausedSince: '2026-03-01T09:00:00.000Z' })).toEqual([
    'private: 12 entries not recorded',
    'recording paused',
  ]);
  expect(privateWords({ entries: 0, pausedSince: '2026-03-01T09:00:00.000Z' })).toEqual([
    'recording paused',
  ]);
});
