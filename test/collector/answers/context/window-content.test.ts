import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditOf, type SummaryRow } from '../../../../collector/answers/context/audit.ts';
import { cacheMissesOf } from '../../../../collector/answers/context/cache-misses.ts';
import {
  type Composition,
  createCompositions,
} from '../../../../collector/answers/context/composition.ts';
import {
  createEntryTree,
  type EntryNode,
} from '../../../../collector/answers/context/entry-tree.ts';
import { seriesOf } from '../../../../collector/answers/context/series.ts';
import { windowContentAt } from '../../../../collector/answers/context/window-content.ts';
import { Story, sizes } from './given.ts';
import { anyStory } from './stories.ts';

function contextOf(story: Story, id: string): readonly string[] {
  const tree = createEntryTree(story.facts());
  return windowContentAt(tree.node(id)).map(({ fact }) => fact.id);
}

function compositionOf(story: Story, id: string): Composition {
  const facts = story.facts();
  const tree = createEntryTree(facts);
  return createCompositions(tree, facts.fixtures)(tree.node(id));
}

function edit(
  story: Story,
  id: string,
  targetEntryId: string | null,
  textChars: number | null,
): Story {
  return story.entry('pi.context.edited.v1', id, {
    targetEntryId,
    removed: textChars === null,
    sizes: sizes({ textChars: textChars ?? 0 }),
  });
}

function isCompaction(node: EntryNode | null): boolean {
  return node?.fact.kind === 'compaction';
}

const answer = { inputTokens: 1_000, cacheReadTokens: 0, outputTokens: 10 };

describe('an entry that was taken out of the context', () => {
  const story = edit(new Story().user('u1', 400).turn('t1', answer, 800), 'x1', 't1', null).user(
    'u2',
    40,
  );

  it('is not sent any more from the edit on, and was before', () => {
    expect(contextOf(story, 't1')).toEqual(['u1', 't1']);
    expect(contextOf(story, 'x1')).toEqual(['u1']);
    expect(contextOf(story, 'u2')).toEqual(['u1', 'u2']);
  });

  it('is still sent on a branch that does not hold the edit', () => {
    const branched = edit(new Story().user('u1').turn('t1', answer), 'x1', 't1', null)
      .goTo('t1')
      .user('u2');
    expect(contextOf(branched, 'u2')).toEqual(['u1', 't1', 'u2']);
  });

  it('weighs nothing any more', () => {
    // 1,010 after the answer, 200 of them for its 800 characters; the new prompt is 10.
    expect(compositionOf(story, 'u2')).toMatchObject({
      totalTokens: 1_010 - 200 + 10,
      source: 'estimate',
    });
    expect(
      compositionOf(story, 'u2').parts.find(({ kind }) => kind === 'assistantText'),
    ).toBeUndefined();
  });

  it('is not kept by a compaction below the edit, whatever it keeps first', () => {
    const compacted = edit(new Story().user('u1').turn('t1', answer).user('u2'), 'x1', 'u2', null);
    compacted.compaction('c1', { firstKeptEntryId: 't1' }).user('u3');
    expect(contextOf(compacted, 'u3')).toEqual(['c1', 't1', 'u3']);
  });

  it('leaves a context by an edit below the compaction that kept it, too', () => {
    const compacted = new Story()
      .user('u1')
      .turn('t1', answer)
      .compaction('c1', { firstKeptEntryId: 'u1' });
    expect(contextOf(edit(compacted, 'x1', 't1', null), 'x1')).toEqual(['c1', 'u1']);
  });
});

describe('an entry that was given other content', () => {
  it('counts as what it was, with the size of that content', () => {
    const story = edit(
      new Story().user('u1').turn('t1', answer).read('r1', 'a.txt', 4_000),
      'x1',
      'r1',
      40,
    );
    expect(compositionOf(story, 'r1').totalTokens).toBe(1_010 + 1_000);
    expect(compositionOf(story, 'x1').totalTokens).toBe(1_010 + 10);
    expect(compositionOf(story, 'x1').parts).toContainEqual({
      kind: 'toolResults',
      name: 'read',
      tokens: 10,
    });
  });

  it('has the content of the latest edit', () => {
    const story = new Story().user('u1', 4_000);
    edit(edit(story, 'x1', 'u1', 400), 'x2', 'u1', 40);
    expect(compositionOf(story, 'x1').totalTokens).toBe(100);
    expect(compositionOf(story, 'x2').totalTokens).toBe(10);
    expect(compositionOf(edit(story, 'x3', 'u1', null), 'x3').totalTokens).toBe(0);
  });
});

describe('a compaction that keeps from an entry on that the ledger does not hold', () => {
  const begun = () => new Story().user('u1').turn('t1', answer);
  const keeping = (story: Story, firstKeptEntryId: string) =>
    contextOf(story.user('u2').turn('t2', answer).compaction('c1', { firstKeptEntryId }), 'c1');

  it('keeps the first known one right behind it', () => {
    expect(keeping(begun().hole('x1'), 'x1')).toEqual(['c1', 'u2', 't2']);
  });

  it('keeps the one behind several in a row, where it is the only one behind any', () => {
    expect(keeping(begun().hole('x1').hole('x2'), 'x1')).toEqual(['c1', 'u2', 't2']);
  });

  it('is not known to keep anything where others are behind such entries too', () => {
    expect(
      keeping(new Story().user('u1').hole('x0').turn('t1', answer).hole('x1').hole('x2'), 'x1'),
    ).toEqual(['c1']);
  });
});

describe('a context that was cleared', () => {
  const cached = { inputTokens: 100, cacheReadTokens: 9_000, outputTokens: 10 };
  const story = edit(new Story().user('u1').turn('t1', cached).turn('t2', cached), 'x1', null, null)
    .user('u2')
    .turn('t3', answer);

  it('holds nothing of what stands above', () => {
    expect(contextOf(story, 'u2')).toEqual(['u2']);
  });

  it('has no figure until the next answer, and that one has not grown', () => {
    const facts = story.facts();
    expect(compositionOf(story, 'x1')).toMatchObject({ totalTokens: 0, source: 'estimate' });
    expect(
      seriesOf(createEntryTree(facts), facts, 'omp').map(({ growthTokens }) => growthTokens),
    ).toEqual([null, 0, null]);
  });

  it('explains a cache miss', () => {
    const facts = story.facts();
    expect(cacheMissesOf(createEntryTree(facts), facts.fixtures)).toMatchObject([
      { entryId: 't3', fromTokens: 9_000, reason: 'cleared' },
    ]);
  });

  it('ends what a compaction above it saves', () => {
    const compacted = new Story()
      .user('u1')
      .turn('t1', cached)
      .compaction('c1', { tokensBefore: 9_110, firstKeptEntryId: 't1' });
    edit(compacted.turn('t2', answer), 'x1', null, null).user('u2').turn('t3', answer);
    const facts = compacted.facts();
    const [row] = auditOf(createEntryTree(facts), facts, 'pi') as readonly SummaryRow[];
    expect(row).toMatchObject({ turnsAfter: 1, tokensAfterMeasured: 1_000 });
  });
});

describe('any session with edits', () => {
  it('sends no entry twice, and none that an edit of its path took out', () => {
    fc.assert(
      fc.property(
        anyStory,
        fc.array(fc.tuple(fc.nat(40), fc.option(fc.nat(90)))),
        (told, edits) => {
          const story = Object.assign(new Story(), structuredClone({ ...told }));
          for (const [index, [target, chars]] of edits.entries())
            edit(story, `x${index}`, `e${target}`, chars);
          const tree = createEntryTree(story.facts());
          for (const node of tree.nodes) {
            const ids = windowContentAt(node).map(({ fact }) => fact.id);
            expect(new Set(ids).size).toBe(ids.length);
            // Hosts do not edit compactions.
            if (
              node.fact.kind === 'edit' &&
              node.fact.removed &&
              !isCompaction(tree.node(node.fact.targetId ?? ''))
            )
              expect(ids).not.toContain(node.fact.targetId);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});
