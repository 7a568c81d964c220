import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Composition,
  createCompositions,
} from '../../../../collector/answers/context/composition.ts';
import { createEntryTree } from '../../../../collector/answers/context/entry-tree.ts';
import { sessionFiles } from '../../../extension/support/sessions.ts';
import { recordedFacts, Story, sizes } from './given.ts';
import { anyStory } from './stories.ts';

const sumOf = ({ parts }: Composition) => parts.reduce((sum, { tokens }) => sum + tokens, 0);
const tokensOf = ({ parts }: Composition, kind: string) =>
  parts.find((part) => part.kind === kind)?.tokens ?? 0;

function compositionAt(story: Story, id: string): Composition {
  const facts = story.facts();
  const tree = createEntryTree(facts);
  return createCompositions(tree, facts.fixtures)(tree.node(id));
}

describe('the parts of a composition', () => {
  it('sum to the total that is shown, at every entry of any session', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const facts = story.facts();
        const tree = createEntryTree(facts);
        const compose = createCompositions(tree, facts.fixtures);
        for (const node of tree.nodes) {
          const composition = compose(node);
          expect(sumOf(composition)).toBe(composition.totalTokens);
          expect(
            composition.parts.every(({ tokens }) => Number.isInteger(tokens) && tokens >= 0),
          ).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('sum to the measured total at every answer of the recorded sessions', () => {
    for (const { name } of sessionFiles) {
      const facts = recordedFacts(name);
      const tree = createEntryTree(facts);
      const compose = createCompositions(tree, facts.fixtures);
      for (const node of tree.nodes) expect(sumOf(compose(node))).toBe(compose(node).totalTokens);
    }
  });

  it('are the same whatever was asked before', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const facts = story.facts();
        const tree = createEntryTree(facts);
        const compose = createCompositions(tree, facts.fixtures);
        for (const node of tree.nodes.toReversed())
          expect(compose(node)).toEqual(createCompositions(tree, facts.fixtures)(node));
      }),
      { numRuns: 50 },
    );
  });
});

describe('a composition', () => {
  it('shows what was measured beyond the entries as unexplained', () => {
    const story = new Story().user('u1', 400).turn('t1', { inputTokens: 1_000 });
    expect(compositionAt(story, 't1').parts).toEqual([
      { kind: 'unexplained', name: '', tokens: 900 },
      { kind: 'user', name: '', tokens: 100 },
    ]);
  });

  it('is scaled down where the entries come to more than was measured', () => {
    const story = new Story()
      .user('u1', 400)
      .turn('t1', { inputTokens: 100 }, 1_200)
      .user('u2', 400)
      .turn('t2', { inputTokens: 250 });
    const composition = compositionAt(story, 't2');
    expect(composition).toMatchObject({
      totalTokens: 250,
      estimatedTokens: 500,
      source: 'provider',
    });
    expect([
      tokensOf(composition, 'assistantText'),
      tokensOf(composition, 'user'),
      tokensOf(composition, 'unexplained'),
    ]).toEqual([150, 100, 0]);
  });

  it('names tool results by tool, and counts an image as 1,200 tokens', () => {
    const story = new Story().user('u1').turn('t1', { inputTokens: 10 }).read('r1', 'a.png', 0);
    story.entry('pi.tool.completed.v1', 'r2', {
      toolName: 'shot',
      paths: [],
      spend: null,
      turnEntryId: 't1',
      sizes: sizes({ textChars: 4, images: 1 }),
    });
    const composition = compositionAt(story, 'r2');
    expect(composition.parts).toContainEqual({ kind: 'toolResults', name: 'shot', tokens: 1 });
    expect(composition.totalTokens).toBe(10 + 1 + 1_200);
    expect(composition.source).toBe('estimate');
  });

  it('holds behind a compaction its summary and what it kept, and nothing else', () => {
    const story = new Story().user('u1', 4_000).turn('t1', { inputTokens: 5_000 }).user('u2', 40);
    story.compaction('c1', { firstKeptEntryId: 'u2' }).user('u3', 80);
    expect(compositionAt(story, 'u3')).toMatchObject({
      totalTokens: 50,
      parts: [
        { kind: 'user', tokens: 30 },
        { kind: 'compactionSummary', tokens: 20 },
      ],
    });
  });

  it('takes what comes before the first message from the live host where no entry tells it', () => {
    const story = new Story().user('u1', 400).turn('t1', { inputTokens: 1_000 });
    story.live('pi.context.sampled.v1', {
      entryId: 't1',
      source: 'provider',
      systemPromptChars: 800,
      toolDefinitionChars: 1_200,
      tools: 4,
    });
    const composition = compositionAt(story, 't1');
    expect(
      ['system', 'toolDefinitions', 'user', 'unexplained'].map((kind) =>
        tokensOf(composition, kind),
      ),
    ).toEqual([200, 300, 100, 400]);
  });
});
