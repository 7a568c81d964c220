/**
 * What docs/accounting.md says that is not counted right: when one of these fails, the limit is
 * gone, and the page has to say so.
 */
import { describe, expect, it } from 'vitest';
import { usage } from '../../../collector/projections/usage.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { event, spendOf, turn } from './support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const nested = spendOf({ inputTokens: 100, costNanoUsd: 5_000 });
const answer = 'response:00000000000000a1';

describe('known limits', () => {
  it('a subagent process covers the sum that another tool of the same turn claims', () => {
    const given = [
      event(
        'pi.tool.completed.v1',
        { at, session: 'parent' },
        { turnEntryId: 't1', spend: nested },
      ),
      turn(at, nested, 'child'),
      event(
        'pi.subagent.accounted.v1',
        { at, session: 'parent' },
        { keys: ['turn:t1', answer], accounted: nested },
      ),
    ];
    // The tool asked a model for 100 tokens, and so did the child of another tool: 200 were spent.
    expect(fold(sessions, given).sums(usage, 'inputTokens', 'session')).toEqual({ child: 100n });
  });

  it('a subagent without a known parent counts beside its parent’s sum', () => {
    const given = [
      event(
        'pi.subagent.claimed.v1',
        { at, session: 'parent' },
        { key: 'turn:t1', claimed: nested },
      ),
      turn(at, nested, 'child'),
    ];
    // 100 tokens were spent.
    expect(fold(sessions, given).sums(usage, 'inputTokens', 'session')).toEqual({
      child: 100n,
      parent: 100n,
    });
  });
});
