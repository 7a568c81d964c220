import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLines } from '../support/command-lines.ts';
import { temporaryDirectory } from '../support/directory.ts';

const commandLine = commandLines();
const directory = temporaryDirectory();
let files = 0;

/** A session with one answer of this provider, for $0.5. Without dollars it has no price. */
function sessionOf(provider: string, usd = 0.5): string {
  files += 1;
  const folder = join(directory, `sessions-${files}`);
  const timestamp = '2026-11-20T09:00:00.000Z';
  const cost = { input: usd, output: 0, cacheRead: 0, cacheWrite: 0, total: usd };
  const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost };
  const message = { role: 'assistant', provider, model: 'm', usage, stopReason: 'stop' };
  const lines = [
    { type: 'session', version: 3, id: `billing-${files}`, timestamp, cwd: '/home/ada/shop' },
    { type: 'message', id: `aaaa000${files}`, parentId: null, timestamp, message },
  ];
  mkdirSync(folder);
  writeFileSync(join(folder, 's.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return folder;
}

describe('pi-ledger billing', () => {
  it('says of a rule that it matches nothing, and which providers there are', async () => {
    const { run } = commandLine();
    const none = await run('billing', 'xai=metered');
    expect(none.printed).toContain('its rule changes nothing. No record has a provider yet.');
    await run('import', '--pi', sessionOf('openai'), '--pi', sessionOf('anthropic'));
    const { code, printed } = await run('billing', 'groq=metered', 'anthropic=metered');
    expect(code).toBe(0);
    expect(printed).toContain(
      'No record is of the provider "groq" so far: its rule changes nothing. ' +
        'Providers with records: anthropic, openai.',
    );
    expect(printed).not.toContain('provider "anthropic"');
    const json = JSON.parse((await run('billing', 'mistral=metered', '--json')).printed);
    expect(json).toMatchObject({ unused: ['mistral'] });
  });

  it('keeps no pattern, but takes one out that was kept before', async () => {
    const { run, env } = commandLine();
    await run('import', '--pi', sessionOf('anthropic'));
    expect(await run('billing', 'anthropic=metered', '*=metered')).toMatchObject({
      code: 2,
      complained: expect.stringMatching(
        /"\*" is no provider: .* no patterns\. Providers with records: anthropic\./,
      ),
    });
    expect((await run('billing')).printed).toContain('There are no rules for billing.');
    const path = join(env.PI_LEDGER_HOME ?? '', 'config.json');
    writeFileSync(path, '{"billing":{"*":"metered","anthropic":"metered"}}');
    expect(await run('billing', '*=unknown')).toMatchObject({ code: 0 });
    expect((await run('billing')).printed).toContain('Rules: anthropic is metered.');
  });

  it('is asked for by the import that brings spend of unknown billing, once', async () => {
    const { run } = commandLine();
    const folder = sessionOf('anthropic');
    const first = await run('import', '--pi', folder);
    expect(first.printed).toMatch(
      /\$0\.50: billed by use, or covered by a subscription\? .*: pi-ledger billing$/,
    );
    expect((await run('import', '--pi', folder)).printed).not.toContain('billing');
  });

  it('lists what is not known with the command that says it, and writes config.json', async () => {
    const { run, env } = commandLine();
    const path = join(env.PI_LEDGER_HOME ?? '', 'config.json');
    await run('import', '--pi', sessionOf('anthropic'));
    await run('import', '--pi', sessionOf('openai'));
    writeFileSync(path, '{"retentionDays":900}');
    const { printed } = await run('billing');
    expect(printed).toMatch(/anthropic +\$0\.50/);
    expect(printed).toContain('pi-ledger billing anthropic=subscription');
    expect(await run('billing', 'anthropic=subscription', 'openai=metered')).toMatchObject({
      code: 0,
      printed: expect.stringContaining('anthropic is subscription, openai is metered'),
    });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      retentionDays: 900,
      billing: { anthropic: 'subscription', openai: 'metered' },
    });
    const { total } = JSON.parse((await run('report', '--json')).printed);
    expect(total).toMatchObject({
      meteredNanoUsd: '500000000',
      subscriptionNanoUsd: '500000000',
      unknownBillingNanoUsd: '0',
    });
    expect((await run('billing')).printed).toContain('The billing of all spend is known.');
    await run('billing', 'openai=unknown');
    expect(JSON.parse((await run('billing', '--json')).printed)).toEqual({
      billing: { anthropic: 'subscription' },
      unknown: [
        {
          provider: 'openai',
          unknownBillingNanoUsd: '500000000',
          unpricedRecords: 0,
          unreportedRecords: 0,
          suggested: null,
        },
      ],
    });
  });

  it('lists what has no price, too, as the report does', async () => {
    const { run } = commandLine();
    await run('import', '--pi', sessionOf('anthropic'), '--pi', sessionOf('anthropic', 0));
    await run('import', '--pi', sessionOf('local', 0));
    const { printed } = await run('billing');
    expect(printed).toMatch(/\nanthropic +≥ \$0\.50+\nlocal +n\/a\n/);
    expect(printed).toContain('≥  2 records have no price (n/a): pi-ledger models --unpriced');
    const { unknown } = JSON.parse((await run('billing', '--json')).printed);
    expect(unknown[1]).toMatchObject({ provider: 'local', unpricedRecords: 1 });
    expect((await run('report', '--by', 'provider')).printed).toMatch(/\nlocal .*n\/a/);
    await run('billing', 'anthropic=metered', 'local=metered');
    expect((await run('billing')).printed).toContain('The billing of all spend is known.');
  });

  it('says why there is no spend instead of that all is known', async () => {
    const { printed } = await commandLine().run('billing');
    expect(printed).toContain('Nothing is recorded yet');
    expect(printed).not.toContain('is known');
  });

  it('settles all history of a running collector at once', async () => {
    const { run, start, env } = commandLine();
    await run('import', '--pi', sessionOf('anthropic'));
    await start();
    const total = async () => JSON.parse((await run('report', '--json')).printed).total;
    expect(await total()).toMatchObject({ unknownBillingNanoUsd: '500000000' });
    for (const kind of ['subscription', 'metered'] as const) {
      const { printed } = await run('billing', `anthropic=${kind}`);
      expect(printed).toMatch(/next: pi-ledger report$/);
      expect(await total()).toMatchObject({
        unknownBillingNanoUsd: '0',
        [`${kind}NanoUsd`]: '500000000',
      });
    }
    const path = join(env.PI_LEDGER_HOME ?? '', 'config.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ billing: { anthropic: 'metered' } });
  });

  it('refuses other words, and leaves a damaged file and a collector elsewhere alone', async () => {
    const { run, env } = commandLine();
    expect(await run('billing', 'openai=free')).toMatchObject({
      code: 2,
      complained: expect.stringContaining('openai=free'),
    });
    mkdirSync(env.PI_LEDGER_HOME ?? '');
    const path = join(env.PI_LEDGER_HOME ?? '', 'config.json');
    for (const text of ['[1]', '{"port"', '{"url":"http://ledger.example"}']) {
      writeFileSync(path, text);
      expect((await run('billing', 'openai=metered')).code).toBeGreaterThan(0);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });
});
