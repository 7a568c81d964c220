import { createEntryTree } from '../../../../collector/answers/context/entry-tree.ts';
import { type Point, seriesOf } from '../../../../collector/answers/context/series.ts';
import type { Story } from './given.ts';

export function seriesOfStory(story: Story, host: 'pi' | 'omp' = 'pi'): readonly Point[] {
  const facts = story.facts();
  return seriesOf(createEntryTree(facts), facts, host);
}

export const sampled = {
  entryId: 't1',
  provider: 'anthropic',
  model: 'small',
  tokens: 1_050,
  windowTokens: 20_000,
  source: 'provider' as const,
  limitsSource: undefined,
  systemPromptChars: undefined,
  tools: undefined,
};
