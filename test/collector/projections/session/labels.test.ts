import { expect, it } from 'vitest';
import { type Labels, sameLabels } from '../../../../collector/projections/session/labels.ts';

const labels: Labels = {
  ...{ project: 'shop', branch: 'main', user: 'ada', machine: 'bench', host: 'pi' },
  ...{ billing: 'metered', agentKind: 'main', agent: 'pi', labels: '{}', head: 'abc' },
  ...{ utcOffsetMinutes: 60, isIgnored: false },
};

it('labels are the same if all of them are', () => {
  expect(sameLabels(labels, { ...labels })).toBe(true);
});

it.each(Object.entries(labels))('labels with another %s are others', (name, value) => {
  const other = { string: `${value}-2`, number: -60, boolean: true }[typeof value as 'string'];
  expect(sameLabels(labels, { ...labels, [name]: other })).toBe(false);
});
