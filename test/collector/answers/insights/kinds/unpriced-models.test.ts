import { describe, expect, it } from 'vitest';
import { askInsights, spent, turnOf, usd } from '../support/asked.ts';

const { ask } = askInsights();

describe('what has no amount', () => {
  it('stands last, and names the models without a price', async () => {
    const { rows } = await ask([
      ...spent('09-24', 1),
      ...turnOf('11-01', { costNanoUsd: null, costSource: 'unpriced', model: 'local' }),
      ...turnOf('11-01', { costNanoUsd: 3 * usd }),
    ]);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.at(-1)).toMatchObject({
      kind: 'unpriced-model',
      nanoUsd: null,
      title: 'local has no price: 1 record',
      rows: [{ is: 'project', id: 'shop', nanoUsd: null, text: '1 record' }],
    });
  });
});
