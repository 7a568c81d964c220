import { describe, expect, it } from 'vitest';
import { compactionLines } from '../../../extension/command/context.ts';
import { answer } from '../support/fake-session.ts';
import { drive, spent } from './support/driven-command.ts';

describe('/ledger compactions', () => {
  it('shows each with what it was measured to leave, what it cost, and those that failed', () => {
    const { machine, fill, add, fire, compact, state, ctx } = drive();
    fill();
    compact('c1', { usage: { ...spent(2_000, 50), cost: { total: 0.0123 } } });
    add('e6', answer('r3', { usage: spent(900) }));
    add('e7', answer('r4', { usage: spent(1_900) }));
    fire('turn_end');
    machine.nowMs += 60_000;
    compact('c2', { fromHook: true, tokensAfter: 700 });
    fire('session_before_compact', { reason: 'threshold' });
    fire('session_compact_failed', { reason: 'threshold', aborted: false, willRetry: false });
    expect(compactionLines(state(), ctx())).toEqual([
      'Compactions on this branch: 2 · 1 failed since this process started',
      '  2026-01-01 00:00 UTC · manual · 3,100 -> 900 tokens measured · $0.0123 · 2.5 s',
      "  2026-01-01 00:01 UTC · manual · 3,100 -> no answer yet, 700 by the host's estimate · " +
        'cost unknown · 2.5 s · summary by an extension',
    ]);
  });

  it('follows the branch that the session is on', () => {
    const { session, fill, add, compact, fire, state, ctx } = drive();
    fill();
    compact('c1');
    session.leafId = 'e4';
    add('e9', answer('r9', { usage: spent(4_000) }));
    fire('session_tree');
    expect(compactionLines(state(), ctx())).toEqual(['Compactions on this branch: 0']);
  });

  it('shows the last ten', () => {
    const { fill, compact, state, ctx } = drive();
    fill();
    for (let count = 1; count <= 12; count += 1) compact(`c${count}`);
    const lines = compactionLines(state(), ctx());
    expect(lines.slice(0, 2)).toEqual(['Compactions on this branch: 12', '  the last 10 of them:']);
    expect(lines).toHaveLength(12);
  });
});
