import { expect, it } from 'vitest';
import { missParts } from '../../../../../collector/answers/context/print/lists.ts';

it('says what cache misses cost, each kind of billing apart', () => {
  const costs = { metered: '300000000', subscription: '100000000' };
  const sums = { count: 3, missedTokens: 4_000, costs, unpriced: 0 };
  const byReason = [{ reason: 'model', ...sums }];
  const [title] = missParts({
    cacheMisses: { ...sums, byReason, worst: { metered: [], subscription: [], unknown: [] } },
  });
  expect(title).toBe(
    '3 cache misses: 4,000 tokens sent again for $0.3000 and $0.1000 subscription more than ' +
      'from the cache (3 after another model)',
  );
});
