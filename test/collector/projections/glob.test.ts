import { describe, expect, it } from 'vitest';
import { createMatcher } from '../../../collector/projections/glob.ts';

describe('a glob', () => {
  it('matches what is written like itself, and what it stands for', () => {
    const matches = createMatcher('[shop]');
    expect(['[shop]', 's', 'shop'].map(matches)).toEqual([true, true, false]);
  });

  it('stops at slashes with one star, and not with two, hidden names included', () => {
    expect(['/srv/.a', '/srv/a/b'].map(createMatcher('/srv/*'))).toEqual([true, false]);
    expect(['/srv/.a', '/srv/a/.b'].map(createMatcher('/srv/**'))).toEqual([true, true]);
  });

  it('is refused when a bracket is left open', () => {
    expect(() => createMatcher('[shop')).toThrow();
  });
});
