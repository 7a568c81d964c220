/**
 * A ledger with several cells answers as one with a single cell: what is read of joined views and
 * logs (collector/cells/views/, collector/cells/log/) is the same, byte for byte, but for
 * positions in the log.
 */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { drawTokenText, hashToken } from '../../collector/auth/token-text.ts';
import type { StoredToken } from '../../collector/auth/tokens.ts';
import { partitionOf } from '../../collector/ingest/kafka/partition-of.ts';
import { type FoldRules, noRules } from '../../collector/projections/rules.ts';
import type { Store } from '../../collector/stores/store.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { expectSameAnswers, expectSameLog } from './cells/compare.ts';
import { factsIn } from './cells/facts.ts';
import { anyEvents, budgets, corpus, month, received } from './cells/given.ts';
import { fill, type Given, type Setting, serve } from './cells/ledger.ts';
import { questionsOn } from './cells/questions.ts';

/** Opens empty stores that this process may write. */
export type OpenStores = (count: number) => Promise<readonly Store[]>;

const cellsDefault = 8;

/** Ledgers of one cell and of several, which close when the test has ended. */
export function cellsKit(openStores: OpenStores, cells = cellsDefault) {
  const closing: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open(count: number): Promise<readonly Store[]> {
    const stores = await openStores(count);
    closing.push(async () => {
      for (const store of stores) await store.close();
    });
    return stores;
  }

  async function ledgers(given: readonly Given[], more: Partial<Setting> = {}) {
    const [one, several] = [await open(1), await open(cells)];
    const setting = { ...usual, tokens: (one[0] as Store).tokens, ...more };
    await fill(one, given, setting.rules);
    await fill(several, given, setting.rules);
    const served = {
      single: await serve(one, setting),
      joined: await serve(several, setting),
      tokens: setting.tokens,
    };
    closing.push(served.single.close, served.joined.close);
    return served;
  }

  return { ledgers };
}

export function cellsSuite(name: string, openStores: OpenStores): void {
  const directory = temporaryDirectory();
  const { ledgers } = cellsKit(openStores);

  describe(`cells: ${name}`, () => {
    it('answer every question as one cell does: a month of work', async () => {
      const given = month(7, 5, 1);
      expectSpread(given);
      const { single, joined } = await ledgers(given);
      const questions = questionsOn(await factsIn(single, 5));
      const { asked, rows } = await expectSameAnswers(single, joined, questions);
      expect(asked).toBeGreaterThan(1_000);
      expect(rows).toBeGreaterThan(5_000);
      await expectSameLog(single, joined, [undefined]);
    });

    it('answer callers with limits as one cell does', async () => {
      // The month has ended: groups are told of.
      const nowMs = Date.parse('2026-12-04T00:00:00.000Z');
      const { single, joined, tokens } = await ledgers(month(8, 3, 1), { minimumUsers: 2, nowMs });
      const facts = await factsIn(single, 4);
      const [user = '', project = ''] = [facts.names.user?.[0], facts.names.project?.[0]];
      const limited = [
        await tokenOf(tokens, { user, reading: { is: 'own' } }),
        await tokenOf(tokens, { user, reading: { is: 'projects', projects: [project] } }),
        await tokenOf(tokens, { user: 'reader', reading: { is: 'none' } }),
      ];
      for (const [first, token] of limited.entries()) {
        const questions = someOf(questionsOn(facts), 4, first);
        const limitedToo = questions.map((question) => ({ ...question, token }));
        await expectSameAnswers(single, joined, limitedToo);
      }
      await expectSameLog(single, joined, limited.slice(0, 1));
    });

    it('answer as one cell does under rules that rename, ignore and label', async () => {
      const { single, joined } = await ledgers(month(9, 3, 1), { rules: ruled });
      const questions = questionsOn(await factsIn(single, 4));
      await expectSameAnswers(single, joined, someOf(questions, 4, 0));
    });

    it('answer as one cell does: the accounting corpus, with its moved entries', async () => {
      const given = await corpus(directory);
      expect(
        given.filter(({ event }) => event.type === 'pi.entry.moved.v1').length,
      ).toBeGreaterThan(10);
      const { single, joined } = await ledgers(given);
      const questions = questionsOn(await factsIn(single, 40));
      await expectSameAnswers(single, joined, someOf(questions, 4, 1));
      await expectSameLog(single, joined, [undefined]);
    });

    it('answer as one cell does, whatever happened', async () => {
      await fc.assert(
        fc.asyncProperty(anyEvents, fc.nat(oneIn - 1), async (events, first) => {
          const { single, joined } = await ledgers(received(events));
          const questions = questionsOn(await factsIn(single, 8));
          await expectSameAnswers(single, joined, someOf(questions, oneIn, first));
          await expectSameLog(single, joined, [undefined]);
        }),
        // The same in each CI run; others by the two variables. A smaller example takes minutes.
        {
          numRuns: Number(process.env.PI_LEDGER_CELLS_RUNS ?? 8),
          seed: Number(process.env.PI_LEDGER_CELLS_SEED ?? 20_261_126),
          endOnFailure: true,
        },
      );
    });
  });
}

/** Of those asked about generated events, in each run others. */
const oneIn = 6;

export function someOf<Question>(questions: readonly Question[], every: number, first: number) {
  return questions.filter((_, at) => at % every === first);
}

const usual: Omit<Setting, 'tokens'> = {
  rules: noRules,
  budgets,
  limits: {
    'demo-anthropic': [
      { window: '5h', windowMs: 18_000_000, limit: 1_000_000, unit: 'tokens', starts: 'rolling' },
    ],
  },
  pullRequests: '(?<number>\\d+)',
  nowMs: Date.parse('2026-11-20T23:00:00.000Z'),
  minimumUsers: 0,
};

const ruled: FoldRules = {
  projects: [
    { match: 'demo-shop', as: 'store' },
    { match: 'demo-blog', ignore: true },
  ],
  billing: { 'demo-local': 'metered' },
  labels: [{ project: 'store', set: { team: 'checkout' } }],
};

/** Every cell has something to answer. */
export function expectSpread(given: readonly Given[], cells = cellsDefault): void {
  const used = new Set(given.map(({ event }) => partitionOf(event, cells)));
  expect(used.size).toBe(cells);
}

async function tokenOf(
  tokens: Setting['tokens'],
  limit: Pick<StoredToken, 'user' | 'reading'>,
): Promise<string> {
  const text = drawTokenText(randomBytes);
  const rest = { note: null, createdAtMs: 1, expiresAtMs: null, revokedAtMs: null };
  const id = Buffer.from(randomBytes(6)).toString('hex');
  await tokens.create({ ...rest, ...limit, id, hash: hashToken(text), scopes: ['read'] });
  return text;
}
