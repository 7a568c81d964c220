import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { homeWith, problemsOf } from './homes.ts';

const hourMs = 3_600_000;

describe('the limits of a plan in config.json', () => {
  it('are read by provider, with the length of each window', () => {
    const home = homeWith({
      quota: {
        anthropic: [
          { window: '5h', limit: 900, in: 'messages', starts: 'first use' },
          { window: 'week', limit: 140.5, in: 'list-price dollars' },
        ],
        openai: [{ window: '30d', limit: 1_000_000, in: 'tokens', starts: 'rolling' }],
      },
    });
    expect(loadCollectorConfig({ PI_LEDGER_HOME: home }).quota).toEqual({
      anthropic: [
        { window: '5h', windowMs: 5 * hourMs, limit: 900, unit: 'messages', starts: 'first use' },
        {
          window: 'week',
          windowMs: 168 * hourMs,
          limit: 140.5,
          unit: 'list-price dollars',
          starts: 'rolling',
        },
      ],
      openai: [
        {
          window: '30d',
          windowMs: 720 * hourMs,
          limit: 1_000_000,
          unit: 'tokens',
          starts: 'rolling',
        },
      ],
    });
  });

  it('name each problem with its place and what was expected', () => {
    const good = { window: '5h', limit: 1, in: 'tokens' };
    const home = homeWith({
      quota: {
        a: [
          { ...good, window: '5 hours' },
          { ...good, window: '5m' },
          { ...good, limit: 0 },
          { ...good, in: 'euros' },
          { ...good, starts: 'monday' },
          { ...good, per: 'user' },
          'much',
        ],
        b: 'much',
      },
    });
    const said = problemsOf({ PI_LEDGER_HOME: home });
    for (const text of [
      '"quota.a[0].window" in config.json is "5 hours", expected "5h", "24h", "7d", "week"',
      '"quota.a[1].window" in config.json is "5m", expected "5h", "24h", "7d", "week"',
      '"quota.a[2].limit" in config.json is 0, expected a number above 0',
      '"quota.a[3].in" in config.json is "euros", expected "tokens" or "messages" or "list-price',
      '"quota.a[4].starts" in config.json is "monday", expected "rolling" or "first use"',
      '"quota.a[5].per" in config.json is "user", expected no such key',
      '"quota.a[6]" in config.json is "much", expected an object',
      '"quota.b" in config.json is "much", expected a list of up to 10 limits',
    ])
      expect(said).toContain(text);
    expect(problemsOf({ PI_LEDGER_HOME: homeWith({ quota: [] }) })).toContain(
      'expected lists of limits by provider',
    );
  });
});
