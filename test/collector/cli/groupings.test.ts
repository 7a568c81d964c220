import { expect, it } from 'vitest';
import { labelsOf } from '../../../collector/cli/groupings.ts';

it('says what a row without a value is: unknown, without the label, or an unnamed agent', () => {
  const row = { project: null, agent: null, 'label:team': null };
  expect(labelsOf(['project', 'agent', 'label:team'], row)).toEqual([
    '(unknown)',
    '(unnamed)',
    '(none)',
  ]);
  expect(labelsOf(['agent'], { agent: 'Scout1' })).toEqual(['Scout1']);
});
