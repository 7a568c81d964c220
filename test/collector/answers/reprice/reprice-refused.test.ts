import { describe, expect, it } from 'vitest';
import { turn } from '../../projections/support/given.ts';
import { reprice, repricedLedgers } from './reprices.ts';

const { holding } = repricedLedgers();

const sonnet = { provider: 'anthropic', model: 'claude-sonnet-5' };

const at = '2026-11-20T08:00:00.000Z';

describe('POST /v1/reprice', () => {
  it.each(['by=planet', 'since=soon', 'limit=0', 'format=csv'])('refuses %s', async (query) => {
    expect((await reprice(await holding(), query)).status).toBe(400);
  });

  it('takes a catalogue as large as the whole of models.dev', async () => {
    const model = { cost: { input: 1, output: 2, cache_read: 0.1 }, description: 'x'.repeat(400) };
    const models = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`model-${n}`, model]),
    );
    const payload = JSON.stringify({ acme: { models } });
    expect(payload.length).toBeGreaterThan(2_000_000);
    const ledger = await holding(turn(at, { provider: 'acme', model: 'model-4999' }));
    expect((await reprice(ledger, '', payload)).json().totals).toMatchObject([
      { repricedNanoUsd: '1000' },
    ]);
  });

  it('says how many rows it left out beyond the limit', async () => {
    const ledger = await holding(
      turn(at, sonnet, 'a'),
      turn(at, sonnet, 'b'),
      turn(at, sonnet, 'c'),
    );
    expect((await reprice(ledger, 'by=session&limit=2')).json()).toMatchObject({
      rows: [{ session: 'a' }, { session: 'b' }],
      rowsLeftOut: 1,
    });
  });
});
