/** A changed rule in config.json: the next start folds the views anew by itself. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import type { Ledger } from '../../../collector/roles/ledger.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { work } from '../support/work.ts';

const home = join(temporaryDirectory(), 'home');

async function withLedger<Answer>(
  configFile: object,
  use: (ledger: Ledger) => Promise<Answer>,
): Promise<Answer> {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify(configFile));
  const ledger = await openLedger(loadCollectorConfig({ PI_LEDGER_HOME: home }), {
    now: () => Date.parse('2026-11-22T12:00:00.000Z'),
  });
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

async function report(ledger: Ledger, by = 'project'): Promise<Record<string, string[]>> {
  await ledger.subscription.catchUp();
  const { rows } = (await ledger.app.inject(`/v1/usage?by=${by}`)).json() as {
    rows: Record<string, string>[];
  };
  return Object.fromEntries(
    rows.map((row) => [
      String(row[by]),
      [row.meteredNanoUsd, row.subscriptionNanoUsd, row.unknownBillingNanoUsd].map(String),
    ]),
  );
}

const positions = async (ledger: Ledger) => [
  await ledger.log.head(),
  (await ledger.log.read(0, 1_000)).map(({ event }) => event),
];

describe('rules in config.json', () => {
  it('change the reports with the next start, and nothing in the log', async () => {
    const before = await withLedger({}, async (ledger) => {
      await ledger.ingest.accept([...work]);
      expect(await report(ledger)).toEqual({
        shop: ['5000', '7000', '0'],
        blog: ['0', '0', '2000'],
        null: ['0', '0', '3000'],
      });
      return { log: await positions(ledger), generation: await ledger.views.live(sessions) };
    });

    const rules = {
      projects: [
        { match: 'blog', ignore: true },
        { match: 'sho?', as: 'store' },
      ],
      billing: { anthropic: 'subscription' },
    };
    const changed = await withLedger(rules, async (ledger) => {
      expect(await report(ledger)).toEqual({
        store: ['5000', '7000', '0'],
        null: ['0', '3000', '0'],
      });
      expect(await positions(ledger)).toEqual(before.log);
      const found = await ledger.views.find(sessions, {
        where: [],
        orderBy: { column: 'key', descending: false },
        limit: 10,
      });
      expect(found.map(({ key, columns }) => [key, columns.project, columns.ignored])).toEqual([
        ['s-blog', 'blog', 1],
        ['s-lost', '', 0],
        ['s-shop', 'store', 0],
      ]);
      return ledger.views.live(sessions);
    });
    expect(changed?.id).not.toBe(before.generation?.id);

    await withLedger({ ...rules, port: 7_000 }, async (ledger) => {
      await ledger.subscription.catchUp();
      expect((await ledger.views.live(sessions))?.id).toBe(changed?.id);
    });

    await withLedger({}, async (ledger) => {
      expect(await report(ledger)).toMatchObject({
        shop: ['5000', '7000', '0'],
        blog: ['0', '0', '2000'],
      });
      expect(await positions(ledger)).toEqual(before.log);
    });
  });
});
