import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { faultOf } from '../../support/contract-check.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';
import { sessionEvents } from '../../support/work.ts';

const homes = ledgerHomes();

async function say(ledger: Ledger, rules: object) {
  const url = '/v1/billing';
  const answer = await ledger.app.inject({ method: 'POST', url, payload: { rules } });
  expect(faultOf('POST', url, answer)).toBeNull();
  return { status: answer.statusCode, json: answer.json() };
}

const rowsOf = async (ledger: Ledger) => (await get(ledger, '/v1/billing')).json().rows;

const startedAt = '2026-11-20T09:00:00.000Z';
const turn = (provider: string, nanoUsd: number | null) => ({
  time: '2026-11-20T09:10:00.000Z',
  provider,
  nanoUsd,
});

/** The host said of one how it is paid; nobody of the others. */
const holding = () =>
  homes.holding(
    sessionEvents({
      id: 'live',
      project: 'shop',
      billing: { anthropic: 'metered' },
      startedAt,
      turns: [turn('anthropic', 1)],
    }),
    sessionEvents({
      id: 'imported',
      project: 'shop',
      startedAt,
      turns: [turn('anthropic', 20), turn('openai', 300), turn('local', null)],
    }),
  );

async function amountsOf(ledger: Ledger) {
  const { total } = (await get(ledger, '/v1/usage?by=provider')).json();
  return [total.meteredNanoUsd, total.subscriptionNanoUsd, total.unknownBillingNanoUsd];
}

function billed(rows: readonly Record<string, string>[]): readonly string[] {
  return rows.map(({ session, provider, billing }) => `${session} ${provider} ${billing}`).sort();
}

const nothing = { unknownBillingNanoUsd: '0', unpricedRecords: 0, unreportedRecords: 0 };

describe('/v1/billing', () => {
  it('lists who spent money of which nobody said how it is paid, most first', async () => {
    expect(await rowsOf(await holding())).toEqual(
      [
        { ...nothing, provider: 'openai', unknownBillingNanoUsd: '300' },
        { ...nothing, provider: 'anthropic', unknownBillingNanoUsd: '20' },
        { ...nothing, provider: 'local', unpricedRecords: 1 },
      ].map((row) => ({ ...row, rule: null, suggested: null })),
    );
  });

  it('says it of all history at once, in every view, and takes it back', async () => {
    const ledger = await holding();
    expect(await amountsOf(ledger)).toEqual(['1', '0', '320']);
    expect(await say(ledger, { anthropic: 'subscription', openai: 'metered' })).toEqual({
      status: 200,
      json: {
        rules: { anthropic: 'subscription', openai: 'metered' },
        unused: [],
        isBehind: false,
      },
    });
    // What the host said of the live session stays.
    expect(await amountsOf(ledger)).toEqual(['301', '20', '0']);
    const { rows } = (await get(ledger, '/v1/requests')).json();
    expect(billed(rows)).toEqual(['imported anthropic subscription', 'live anthropic metered']);
    const session = (await get(ledger, '/v1/sessions/imported')).json();
    expect(session).toMatchObject({ meteredNanoUsd: '300', subscriptionNanoUsd: '20' });
    const counted = (await get(ledger, '/metrics')).text.match(/^pi_cost_usd_total.*$/gm);
    expect(
      counted
        ?.map((line) => line.replace(/.*provider_name="(\w+)".*billing="(\w+)".*} /, '$1 $2 '))
        .toSorted(),
    ).toEqual([
      'anthropic metered 0.000000001',
      'anthropic subscription 0.00000002',
      'openai metered 0.0000003',
    ]);

    await say(ledger, { anthropic: 'unknown' });
    expect(await amountsOf(ledger)).toEqual(['301', '0', '20']);
    const [open, , settled] = await rowsOf(ledger);
    expect(open).toMatchObject({ provider: 'anthropic', rule: null });
    expect(settled).toEqual({ ...nothing, provider: 'openai', rule: 'metered', suggested: null });
  });

  it('keeps what is taken in meanwhile', async () => {
    const ledger = await holding();
    const sent = Array.from({ length: 20 }, (_, index) =>
      post(
        ledger,
        sessionEvents({
          id: `more-${index}`,
          project: 'shop',
          startedAt,
          turns: [turn('anthropic', 1_000)],
        }),
      ),
    );
    const kinds = ['metered', 'subscription', 'unknown', 'metered'];
    for (const kind of kinds) await say(ledger, { anthropic: kind });
    await Promise.all(sent);
    expect(await amountsOf(ledger)).toEqual(['20021', '0', '300']);
  });

  it('keeps it beside the other settings', async () => {
    const ledger = await holding();
    const own = join(ledger.parts.config.home, 'config.json');
    writeFileSync(own, '{"retentionDays":900}');
    await say(ledger, { openai: 'metered' });
    expect(JSON.parse(readFileSync(own, 'utf8'))).toEqual({
      retentionDays: 900,
      billing: { openai: 'metered' },
    });
  });

  it('changes nothing where the settings cannot be written', async () => {
    const ledger = await holding();
    const path = join(ledger.parts.config.home, 'config.json');
    writeFileSync(path, '{"port"');
    expect(await say(ledger, { openai: 'metered' })).toMatchObject({
      status: 500,
      json: { message: expect.stringContaining('Nothing has changed: config.json') },
    });
    expect(readFileSync(path, 'utf8')).toBe('{"port"');
    expect(await amountsOf(ledger)).toEqual(['1', '0', '320']);
  });

  it('names rules of nobody, and refuses patterns, other words and far too many', async () => {
    const ledger = await holding();
    expect((await say(ledger, { groq: 'metered' })).json.unused).toEqual(['groq']);
    expect(await say(ledger, { '*': 'metered' })).toMatchObject({
      status: 400,
      json: { field: 'rules', message: expect.stringContaining('anthropic, local, openai') },
    });
    expect(await say(ledger, { openai: 'free' })).toMatchObject({ status: 400 });
    expect(await say(ledger, {})).toMatchObject({ status: 400 });
    for (const name of ['', 'a'.repeat(201), 'a\u0000b'])
      expect(await say(ledger, { [name]: 'metered' })).toMatchObject({ status: 400 });
    const many = (from: number) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`p${from + at}`, 'metered']));
    const statuses = [];
    for (let from = 0; from < 500; from += 100)
      statuses.push((await say(ledger, many(from))).status);
    expect(statuses).toEqual([200, 200, 200, 200, 400]);
    expect(await amountsOf(ledger)).toEqual(['1', '0', '320']);
  });
});
