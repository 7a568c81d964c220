import { describe, expect, it } from 'vitest';
import type { SpanDraft } from '../../../../collector/exporters/traces/draft.ts';
import { ask, talk } from './support/talk.ts';
import { factsOf, isRoot, spansOf, spansOfAll, stored } from './support/traced.ts';

describe('spans of a subagent', () => {
  const subagent = {
    parentSessionId: 'parent',
    agent: { kind: 'subagent' as const, name: 'Scout' },
  };

  function family(parentAgent: 'known' | 'unknown') {
    const parent = talk('parent');
    const child = talk('child');
    child.add('pi.session.attributed.v1', 2, subagent);
    if (parentAgent === 'known') ask(parent, 'p1', 2);
    ask(child, 'c1', 5);
    child.add('pi.run.completed.v1', 6, { promptEntryId: 'c1' });
    ask(child, 'c2', 8);
    return spansOfAll([...parent.events, ...child.events]);
  }

  it("are in the trace of the parent's run, below it", () => {
    const spans = family('known');
    const [root] = spans.filter(isRoot);
    const scouts = spans.filter(({ name }) => name === 'invoke_agent Scout');
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(scouts.map(({ parentSpanId }) => parentSpanId)).toEqual([root?.spanId, root?.spanId]);
  });

  it("name the parent's session where its run is not known", () => {
    const scouts = family('unknown').filter(({ name }) => name === 'invoke_agent Scout');
    expect(scouts.every(isRoot)).toBe(true);
    expect(scouts[0]?.attributes['pi.session.parent_id']).toBe('parent');
  });

  it('are linked to a run that came later, where the whole log is at hand', () => {
    const [parent, child] = [talk('parent'), talk('child')];
    child.add('pi.session.attributed.v1', 2, subagent);
    ask(child, 'c1', 5);
    ask(child, 'c2', 8);
    ask(parent, 'p1', 2);
    const events = [...child.events, ...parent.events];
    const runs = spansOf(stored(events), factsOf(events, 'p1')).filter(({ key }) => key === 'run');
    const [first, second, root] = runs;
    const link = { traceId: root?.traceId, spanId: root?.spanId };
    expect([first, second, root].map((run) => run?.links)).toEqual([[link], [link], []]);
    expect(runs.every(isRoot)).toBe(true);
  });

  it('are where the log put them: what it says later changes no trace', () => {
    const [parent, child] = [talk('parent'), talk('child')];
    ask(parent, 'p1', 2);
    const before = child.add('pi.session.attributed.v1', 3, { parentSessionId: null });
    ask(child, 'c1', 5);
    const early = [...parent.events, ...child.events];
    const later = child.add('pi.session.attributed.v1', 6, subagent);
    const whole = [...early, later];
    const ids = (spans: readonly SpanDraft[]) =>
      spans.map(({ traceId, spanId }) => [traceId, spanId]);
    const live = spansOf(stored(early), factsOf([before]));
    const again = spansOf(stored(whole), factsOf(whole, 'p1'));
    expect(ids(again)).toEqual(ids(live));
    expect(again.filter(({ key }) => key === 'run').map(({ links }) => links.length)).toEqual([
      0, 1,
    ]);
  });

  it('of a fork are linked to the run that it came from, once', () => {
    const parent = talk('parent');
    const fork = talk('fork');
    ask(parent, 'p1', 2);
    fork.add('pi.session.attributed.v1', 3, {
      parentSessionId: 'parent',
      agent: { kind: 'main', name: null },
    });
    ask(fork, 'f1', 5);
    ask(fork, 'f2', 8);
    const spans = spansOfAll([...parent.events, ...fork.events]);
    const origin = spans.find(
      ({ key, attributes }) => key === 'run' && attributes['gen_ai.conversation.id'] === 'parent',
    );
    expect(spans.filter(isRoot)).toHaveLength(3);
    expect(spans.flatMap(({ links }) => links)).toMatchObject([
      { traceId: origin?.traceId, spanId: origin?.spanId },
    ]);
  });
});
