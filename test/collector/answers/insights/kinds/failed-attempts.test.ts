import { describe, expect, it } from 'vitest';
import { attributed, event, spendOf } from '../../../projections/support/given.ts';
import { askInsights, at, usd } from '../support/asked.ts';

const { ofKind } = askInsights();

describe('attempts that came to nothing', () => {
  const failed = (spend: Parameters<typeof spendOf>[0], stopReason: string) => [
    attributed(at('11-20')),
    event('pi.turn.completed.v1', { at: at('11-20') }, { stopReason, spend: spendOf(spend) }),
  ];

  it('are told with what they reported', async () => {
    const rows = await ofKind('failed-attempts', [
      ...failed({ costNanoUsd: 2 * usd }, 'error'),
      ...failed({ costNanoUsd: 3 * usd }, 'aborted'),
      ...failed({ costNanoUsd: 50 * usd }, 'stop'),
    ]);
    expect(rows).toMatchObject([
      { nanoUsd: String(5 * usd), bound: 'exact', reason: 'in 1 session' },
    ]);
  });

  it('are n/a where they reported nothing, and at most the upper estimate', async () => {
    const silent = Array.from({ length: 3 }, () =>
      failed({ reported: false, inputTokens: 0, costNanoUsd: null }, 'error'),
    ).flat();
    expect(await ofKind('unreported-attempts', silent)).toMatchObject([
      { nanoUsd: null, title: '3 attempts reported nothing' },
    ]);
    const estimated = event(
      'pi.attempt.estimated.v1',
      { at: at('11-20') },
      { provider: 'anthropic', model: 'sonnet', tokensMax: 9, costNanoUsdMax: 4 * usd },
    );
    expect(await ofKind('unreported-attempts', [...silent, estimated])).toMatchObject([
      { nanoUsd: String(4 * usd), bound: 'atMost' },
    ]);
  });

  it('are no answers that only an event stream tells of', async () => {
    const streamed = Array.from({ length: 4 }, () =>
      event(
        'pi.answer.streamed.v1',
        { at: at('11-20'), session: 'streamed' },
        { printed: spendOf({ costNanoUsd: 9 * usd }) },
      ),
    );
    expect(await ofKind('unreported-attempts', streamed)).toEqual([]);
    const silent = Array.from({ length: 3 }, () =>
      failed({ reported: false, costNanoUsd: null }, 'error'),
    ).flat();
    expect(await ofKind('unreported-attempts', [...silent, ...streamed])).toMatchObject([
      { title: '3 attempts reported nothing', rowsInAll: 1 },
    ]);
  });

  it('are one row for a session that went on in another project', async () => {
    const silent = (day: string, project: string) => [
      attributed(at(day), { project }),
      ...[1, 2].map(() =>
        event(
          'pi.turn.completed.v1',
          { at: at(day) },
          { stopReason: 'error', spend: spendOf({ reported: false, costNanoUsd: null }) },
        ),
      ),
    ];
    const given = [...silent('11-20', 'shop'), ...silent('11-21', 'blog')];
    const [found] = await ofKind('unreported-attempts', given);
    expect(found).toMatchObject({
      title: '4 attempts reported nothing',
      rowsInAll: 1,
      rows: [{ id: 's1', text: '4 attempts' }],
    });
  });
});
