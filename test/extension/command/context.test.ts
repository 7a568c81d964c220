/** `/ledger context`, of sessions as hosts keep them. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noSizes } from '../../../core/record/draft.ts';
import { compactionLines, contextLines } from '../../../extension/command/context.ts';
import { readSession } from '../../../extension/host/session.ts';
import {
  compactionOutcomes,
  contextBreakdown,
  type PathItem,
} from '../../../extension/live/context-breakdown.ts';
import { weighPath } from '../../../extension/live/weigh-path.ts';
import { answer, append, contextOf, userSays } from '../support/fake-session.ts';
import { startProcess } from '../support/ledger-machine.ts';
import { drive, small, spent } from './support/driven-command.ts';

describe('/ledger context', () => {
  it('shows window, tokens, threshold and what fills it', () => {
    const { fill, state, ctx } = drive();
    fill();
    expect(contextLines(state(), ctx())).toEqual([
      'Context: 3,100 of 20,000 tokens (16 %), measured',
      'The host compacts above 3,616, in 516 tokens · reserve 16,384 (default settings)',
      'Filled by: unexplained 48 %, user 32 %, assistant text 19 %, tool calls <1 %',
      'Compactions on this branch: 0',
    ]);
  });

  it('estimates what followed the last answer, and gives nothing right after a compaction', () => {
    const { fill, add, fire, compact, state, ctx } = drive();
    fill();
    add('e5', userSays('x'.repeat(400)));
    fire('before_agent_start');
    expect(contextLines(state(), ctx())[0]).toBe(
      'Context: 3,200 of 20,000 tokens (16 %), the last answer plus an estimate of what followed',
    );
    compact('c1');
    const [first, second, third, last] = contextLines(state(), ctx());
    expect(first).toBe(
      'Context: unknown until the next answer, about 400 of 20,000 tokens by length',
    );
    expect(second).toBe('The host compacts above 3,616 · reserve 16,384 (default settings)');
    expect(third).toBe('Filled by: compaction summary 50 %, assistant text 25 %, user 25 %');
    expect(last).toBe('Compactions on this branch: 1 (the last: 3,100 -> no answer yet)');
  });

  it('knows the entries from before this process, and does not weigh them twice', () => {
    const { machine, session, fill, ctx, compact } = drive();
    fill();
    compact('c1');
    append(session, 'e6', machine.nowMs, answer('r3', { usage: spent(900) }));
    const later = startProcess(machine);
    later.recorder.handle('session_start', { reason: 'resume' }, ctx(), { sessionId: null });
    const [state] = later.recorder.sessions();
    if (state === undefined) throw new Error('no session');
    expect(contextLines(state, ctx())[3]).toBe(
      'Compactions on this branch: 1 (the last: 3,100 -> 900 tokens measured)',
    );
    let asked = 0;
    const counting = contextOf(session, small);
    const manager = counting.sessionManager as { getEntry(id: string): unknown };
    const getEntry = (id: string) => {
      asked += 1;
      return manager.getEntry(id);
    };
    const host = readSession({ ...counting, sessionManager: { ...manager, getEntry } });
    if (host === null) throw new Error('no host');
    expect(weighPath(state, host).map(({ id }) => id)).toEqual([
      'e1',
      'e2',
      'e3',
      'e4',
      'c1',
      'e6',
    ]);
    expect(asked).toBe(0);
  });

  it('leaves out what the host leaves out: failed attempts, and entries edited away', () => {
    const { fill, add, fire, state, ctx } = drive();
    fill();
    add(
      'e5',
      answer('', {
        content: [{ type: 'text', text: 'w'.repeat(8_000) }],
        usage: spent(0),
        stopReason: 'error',
      }),
    );
    add('e6', { type: 'context_edit', targetId: 'e1' });
    fire('agent_settled');
    const host = readSession(ctx());
    const session = state();
    if (host === null || session === null) throw new Error('no session');
    const { parts } = contextBreakdown(weighPath(session, host), null);
    expect(parts.map(({ name }) => name)).toEqual(['unexplained', 'assistant text', 'tool calls']);
    expect(parts.find(({ name }) => name === 'assistant text')?.tokens).toBe(600);
  });

  it('knows no figure after /clear, and measures no compaction above it by what follows', () => {
    const placed = { parentId: null, sizes: noSizes };
    const compaction = {
      ...{
        timeMs: 0,
        firstKeptEntryId: null,
        tokensBefore: 9_000,
        tokensAfterEstimated: null,
        costNanoUsd: null,
      },
      ...{ toolDefinitionChars: 0, fromExtension: false },
    };
    const answered = {
      ...placed,
      kind: 'answer' as const,
      sentTokens: 800,
      outputTokens: 10,
      nonMessageTokens: null,
    };
    const cleared: PathItem[] = [
      { id: 'e1', weight: answered },
      { id: 'c1', weight: { ...placed, kind: 'compaction', compaction } },
      { id: 'x1', weight: { ...placed, kind: 'edit', targetEntryId: null, removed: true } },
    ];
    expect(contextBreakdown(cleared, null)).toMatchObject({ heldTokens: null, isMeasured: false });
    expect(
      contextBreakdown([{ id: 'e1', weight: answered }, ...cleared.slice(2)], null),
    ).toMatchObject({ heldTokens: null });
    const later = [...cleared, { id: 'e2', weight: answered }];
    expect(contextBreakdown(later, null)).toMatchObject({ heldTokens: 810, isMeasured: true });
    expect(compactionOutcomes(later)).toMatchObject([{ id: 'c1', tokensAfterMeasured: null }]);
  });

  it('has parts that come to the total', () => {
    const chars = fc.nat({ max: 50_000 });
    const weight = fc.oneof(
      fc
        .record({ part: fc.constantFrom('user', 'read results', 'bash results'), textChars: chars })
        .map(({ part, textChars }) => ({
          kind: 'message' as const,
          part,
          toolDefinitionChars: 0,
          parentId: null,
          sizes: { ...noSizes, textChars },
        })),
      fc
        .record({ sentTokens: chars, outputTokens: chars, textChars: chars, thinkingChars: chars })
        .map(({ textChars, thinkingChars, ...answered }) => ({
          kind: 'answer' as const,
          ...answered,
          nonMessageTokens: null,
          parentId: null,
          sizes: { ...noSizes, textChars, thinkingChars },
        })),
    );
    fc.assert(
      fc.property(fc.array(weight, { maxLength: 20 }), (weights) => {
        const path: PathItem[] = weights.map((each, index) => ({
          id: String(index),
          weight: each,
        }));
        const { parts, heldTokens, estimatedTokens } = contextBreakdown(path, {
          systemPromptChars: 400,
          toolDefinitionChars: 30,
        });
        expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(
          heldTokens ?? estimatedTokens,
        );
      }),
    );
  });

  it('has an answer before anything is recorded', () => {
    expect([contextLines(null, {}), compactionLines(null, {})]).toEqual([
      ['Context: nothing recorded yet'],
      ['Compactions: nothing recorded yet'],
    ]);
  });
});
