import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../core/record/entry.ts';
import { rootState } from '../../../core/record/path-state.ts';
import { recordEntry } from '../../../core/record/record-entry.ts';

const entry = (id: string, role: string) => {
  const usage = { input: 5, cost: { total: 0 } };
  const message = { role, content: [{ type: 'text', text: 'abc' }], usage };
  const read = readEntry({ type: 'message', id, timestamp: '2026-05-01T09:00:00.000Z', message });
  if (read === null) throw new Error(`${id} is no entry`);
  return read;
};

const typesOf = (id: string, role: string) =>
  recordEntry({ id: 's', cwd: null }, entry(id, role), rootState).map(({ type }) => type);

describe('a message that omp took over from another agent', () => {
  it.each(['user', 'assistant', 'toolResult'])('only fills the context: %s', (role) => {
    for (const id of ['claude-7c5b1c1e-message-2', 'codex-1z'])
      expect(typesOf(id, role)).toEqual(['pi.message.appended.v1']);
  });

  it('is not one with an id of the host', () => {
    expect(typesOf('c1a0de00', 'assistant')).toContain('pi.turn.completed.v1');
  });
});
