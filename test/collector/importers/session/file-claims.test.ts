import { describe, expect, it } from 'vitest';
import { createFileClaims } from '../../../../collector/importers/session/file-claims.ts';
import type { EventDraft } from '../../../../core/record/draft.ts';
import { spendOf } from '../../projections/support/given.ts';
import { claiming, draft, free, spending } from '../support/drafts.ts';

describe('what a file claims', () => {
  it('is each answer of a subagent by its turn, or by its entry without a turn', () => {
    const claims = createFileClaims();
    const below = draft(
      'pi.subagent.claimed.v1',
      { key: 'agent:A', entryId: 'e', turnEntryId: null },
      { id: 'two', subject: 'owner' },
    );
    const turn = draft('pi.subagent.claimed.v1', {
      key: 'turn:t',
      entryId: 'e',
      turnEntryId: 't',
      claimed: spendOf({ inputTokens: 7 }),
    });
    const turnAtMs = Date.parse('2026-11-20T08:59:00.000Z');
    expect(claims.add({ drafts: [spending, claiming, turn], turnAtMs }, 'holder')).toBe(0);
    expect(claims.add({ drafts: [below], turnAtMs: null }, 'holder')).toBe(0);
    const rest = { holder: 'holder', time: '2026-11-20T09:00:00.000Z' };
    expect(claims.list).toEqual([
      {
        key: 'response:1',
        claimId: 'pi.subagent.claimed.v1',
        sessionId: 's',
        turnEntryId: 't',
        turnAt: '2026-11-20T08:59:00.000Z',
        ...rest,
      },
      {
        key: 'sum:7,0,0,0',
        claimId: 'e',
        sessionId: 's',
        turnEntryId: 't',
        turnAt: '2026-11-20T08:59:00.000Z',
        ...rest,
      },
      {
        key: 'agent:A',
        claimId: 'two',
        sessionId: 'owner',
        turnEntryId: 'e',
        turnAt: null,
        ...rest,
      },
    ]);
  });

  it('is so much and no more; what has no room is counted', () => {
    const claims = createFileClaims(3);
    const add = (...drafts: readonly EventDraft[]) => claims.add({ drafts, turnAtMs: null }, 'h');
    expect([add(claiming, claiming), add(claiming, claiming), add(claiming, free)]).toEqual([
      0, 1, 1,
    ]);
    expect(claims.list).toHaveLength(3);
  });
});
