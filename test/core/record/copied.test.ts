import { describe, expect, it } from 'vitest';
import { copiedCount } from '../../../core/record/copied.ts';
import { sessionFiles } from '../../extension/support/sessions.ts';

const header = {
  id: 's',
  timestamp: '2026-01-01T00:00:10.000Z',
  timeMs: Date.parse('2026-01-01T00:00:10.000Z'),
  cwd: null,
  formatVersion: 3,
  parentSession: null,
};
const at = (second: number) => ({
  id: `e${second}`,
  key: `e${second}`,
  parentId: null,
  type: 'custom',
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  body: {},
});

describe('copiedCount', () => {
  it('counts the entries in front that are older than the header', () => {
    expect(copiedCount(header, [at(1), at(9), at(10), at(11)])).toBe(2);
    expect(copiedCount(header, [at(1), at(2)])).toBe(2);
    expect(copiedCount(header, [])).toBe(0);
    expect(copiedCount(null, [at(1)])).toBe(0);
  });

  it('leaves a session its own entries when the clock was set back while it lived', () => {
    expect(copiedCount(header, [at(1), at(12), at(3), at(4)])).toBe(1);
  });

  it('skips what cannot be recorded anyway', () => {
    expect(copiedCount(header, [at(1), { ...at(2), timestamp: 'yesterday' }, at(3)])).toBe(3);
    expect(
      copiedCount(header, { length: 3, at: (index) => (index === 1 ? undefined : at(index)) }),
    ).toBe(3);
  });

  it('finds in recorded forks and clones exactly their parents’ entries', () => {
    const idsByName = new Map(
      sessionFiles.map(({ name, entries }) => [
        name,
        new Set(entries.map(({ id, timestamp }) => id + timestamp)),
      ]),
    );
    let copies = 0;
    for (const { name, header: own, entries } of sessionFiles) {
      const count = copiedCount(own, entries);
      copies += count;
      entries.forEach((entry, index) => {
        const elsewhere = [...idsByName].some(
          ([other, ids]) => other < name && ids.has(entry.id + entry.timestamp),
        );
        expect([name, entry.id, index < count]).toEqual([name, entry.id, elsewhere]);
      });
    }
    expect(copies).toBeGreaterThan(30);
  });
});
