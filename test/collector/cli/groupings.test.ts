import { expect, it } from 'vitest';
import { byWords, labelColumns, labelsOf } from '../../../collector/cli/groupings.ts';
import { writingOf } from '../../../collector/cli/output/writing.ts';

it('says what a row without a value is: unknown, without the label, or an unnamed agent', () => {
  const row = { project: null, agent: null, 'label:team': null };
  expect(labelsOf(['project', 'agent', 'label:team'], row)).toEqual([
    '(unknown)',
    '(unnamed)',
    '(none)',
  ]);
  expect(labelsOf(['agent'], { agent: 'Scout1' })).toEqual(['Scout1']);
});

it('says in whose hours rows are', () => {
  expect(byWords(['day', 'hour'], 'Asia/Kolkata')).toBe('by day, hour in Asia/Kolkata');
  expect(byWords(['hour'], undefined)).toMatch(/^by hour in \S+$/);
  expect(byWords(['agentKind'], undefined)).toBe('by agent kind');
  const [column] = labelColumns<{ labels: readonly string[] }>(['hour']);
  const writing = writingOf({ isShort: false, now: null, timeZone: 'Asia/Kolkata' });
  const at = (label: string) => column?.cell({ labels: [label] }, writing);
  expect(at('2026-11-22T08:00:00Z')).toBe('2026-11-22 13:30');
  expect(at('total')).toBe('total');
});
