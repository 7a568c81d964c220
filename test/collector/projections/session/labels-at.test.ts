/** Labels of spend in a session of very many notes: each is looked at once. */
import { expect, it } from 'vitest';
import type { Labels } from '../../../../collector/projections/session/labels.ts';
import { labelsAtSpot } from '../../../../collector/projections/session/notes/labels-at.ts';
import { type AgentNote, noNotes } from '../../../../collector/projections/session/notes/notes.ts';

const many = 500;
const base: Labels = {
  ...{ project: '', branch: '', user: '', machine: '', host: '', billing: '', agentKind: '' },
  ...{ agent: '', labels: '', head: '', utcOffsetMinutes: 0, isIgnored: false },
};
const spot = { provider: 'anthropic', model: 'opus', minute: many, lastMinute: many };

it('a thousand keys cost no more than a thousand looks', () => {
  let looks = 0;
  const agent = Array.from({ length: many }, (_, minute): AgentNote => {
    const data = { labels: { [`key-${minute}`]: 'x' }, whole: false };
    return {
      ...{ time: '', minute, text: '' },
      get data() {
        looks += 1;
        return data;
      },
    };
  });
  const labels = labelsAtSpot({ ...noNotes, agent }, base, spot);
  expect(Object.keys(JSON.parse(labels))).toHaveLength(many);
  expect(looks).toBeLessThan(3 * many);
});
