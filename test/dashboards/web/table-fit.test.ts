import { describe, expect, it } from 'vitest';
import { withoutRoom } from '../../../dashboards/web/parts/table-fit.ts';

const columns = [
  { name: 'session' },
  { name: 'metered', goes: 2 },
  { name: 'user', goes: 4 },
  { name: 'turns', goes: 4 },
];
const widths = new Map(columns.map(({ name }) => [name, 100]));

describe('columns of a table', () => {
  it.each([
    [400, []],
    [399, ['turns']],
    [250, ['turns', 'user']],
    [199, ['turns', 'user', 'metered']],
    [10, ['turns', 'user', 'metered']],
  ])('in %d px all stay but those of the lowest priority', (room, gone) => {
    expect(withoutRoom(columns, widths, room)).toEqual(gone);
  });
});
