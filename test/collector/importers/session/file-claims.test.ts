import { describe, expect, it } from 'vitest';
import { createFileClaims } from '../../../../collector/importers/session/file-claims.ts';
import type { EventDraft } from '../../../../extension/record/draft.ts';

const draft = (type: string, data: object = {}, more: object = {}) =>
  ({
    id: type,
    type,
    time: '2026-11-20T09:00:00.000Z',
    subject: 's',
    data,
    ...more,
  }) as never as EventDraft;
const spending = draft('pi.turn.completed.v1', { spend: { inputTokens: 1 } });
const free = draft('pi.tool.completed.v1', { spend: null });
const claiming = draft('pi.subagent.claimed.v1', {
  key: 'response:1',
  entryId: 'e',
  turnEntryId: 't',
});

describe('what a file claims', () => {
  it('is each answer of a subagent by its turn, or by its entry where that hangs below none', () => {
    const claims = createFileClaims();
    const below = draft(
      'pi.subagent.claimed.v1',
      { key: 'agent:A', entryId: 'e', turnEntryId: null },
      { id: 'two', subject: 'owner' },
    );
    const turn = draft('pi.subagent.claimed.v1', { key: 'turn:t', entryId: 'e', turnEntryId: 't' });
    expect(claims.add([spending, claiming, turn, below], 'holder')).toBe(0);
    const rest = { holder: 'holder', time: '2026-11-20T09:00:00.000Z' };
    expect(claims.list).toEqual([
      {
        key: 'response:1',
        claimId: 'pi.subagent.claimed.v1',
        sessionId: 's',
        turnEntryId: 't',
        ...rest,
      },
      { key: 'agent:A', claimId: 'two', sessionId: 'owner', turnEntryId: 'e', ...rest },
    ]);
  });

  it('is so much and no more; what has no room is counted', () => {
    const claims = createFileClaims(3);
    expect([
      claims.add([claiming, claiming], 'h'),
      claims.add([claiming, claiming], 'h'),
      claims.add([claiming, free], 'h'),
    ]).toEqual([0, 1, 1]);
    expect(claims.list).toHaveLength(3);
  });
});
