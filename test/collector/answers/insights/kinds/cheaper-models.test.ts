import { describe, expect, it } from 'vitest';
import { attributed, turn } from '../../../projections/support/given.ts';
import { askInsights, at, usd } from '../support/asked.ts';

const { ofKind } = askInsights();

describe('a model whose tokens another one sells for less', () => {
  it('is told at the measured prices of the other, by kind of token', async () => {
    const of = (model: string, inputUsd: number) => ({
      ...{ model, inputTokens: 10, cacheReadTokens: 0, costNanoUsd: inputUsd * usd },
      rawUsage: { cost: { input: inputUsd } },
    });
    const given = [
      attributed(at('11-20')),
      ...Array.from({ length: 20 }, () => turn(at('11-20'), of('large', 5))),
      ...Array.from({ length: 20 }, () => turn(at('11-20'), of('small', 1))),
    ];
    expect(await ofKind('cheaper-model', given)).toMatchObject([
      {
        nanoUsd: String(80 * usd),
        bound: 'estimated',
        title: "large's tokens cost $100.00; at the prices of small they would have cost ~$20.00",
        command: 'pi-ledger report --by provider,model --since 2026-10-23',
        rows: [
          {
            ...{ is: 'model', id: 'large', nanoUsd: String(80 * usd) },
            text: '$100.00; at the prices of small ~$20.00',
          },
        ],
        rowsInAll: 1,
      },
    ]);
  });
});
