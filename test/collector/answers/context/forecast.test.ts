import { describe, expect, it } from 'vitest';
import { forecastOf } from '../../../../collector/answers/context/forecast.ts';
import { Story } from './given.ts';
import { sampled, seriesOfStory } from './sampled.ts';

describe('a forecast', () => {
  const grown = (tokens: readonly number[]) => {
    const story = new Story().user('u1');
    for (const [index, inputTokens] of tokens.entries())
      story.turn(`t${index}`, { inputTokens, model: 'small' });
    return forecastOf(
      seriesOfStory(story.live('pi.context.sampled.v1', { ...sampled, windowTokens: 20_000 })),
    );
  };

  it('says how many turns are left at the growth of the last ones', () => {
    expect(grown([600, 1_600, 2_600])).toEqual({ growthTokens: 1_000, turnsLeft: 2 });
  });

  it('says nothing before there are three answers, or where nothing grows', () => {
    expect(grown([600, 1_600])).toEqual({ growthTokens: null, turnsLeft: null });
    expect(grown([600, 600, 600]).turnsLeft).toBeNull();
  });
});
