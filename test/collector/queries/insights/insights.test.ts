/** What changed and what it cost, as the API answers it. It is noon on 2026-11-22. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Insight, Insights } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import {
  type AttributionWish,
  attributed,
  event,
  spendOf,
  turn,
} from '../../projections/support/given.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { Story } from '../context/given.ts';

const { holding } = ledgerHomes();
const usd = 1_000_000_000;
const at = (day: string) => `2026-${day}T08:00:00.000Z`;

async function ask(events: readonly LedgerEvent[], query = ''): Promise<Insights> {
  return (await get(await holding(events), `/v1/insights?${query}`)).json();
}

async function ofKind(kind: string, events: readonly LedgerEvent[]): Promise<readonly Insight[]> {
  return (await ask(events, 'limit=100')).rows.filter((row) => row.kind === kind);
}

let sessions = 0;

/** A session of one turn. */
function spent(day: string, dollars: number, wish: AttributionWish = {}, model = 'sonnet') {
  sessions += 1;
  const id = `session-${sessions}`;
  return [attributed(at(day), wish, id), turn(at(day), { costNanoUsd: dollars * usd, model }, id)];
}

describe('projects and models that spend more', () => {
  const before = [
    ...spent('09-24', 1, { project: 'blog' }),
    ...spent('10-01', 20, { branch: 'main' }),
  ];

  it('are told with both figures and the split behind the change', async () => {
    const rows = await ofKind('project-spends-more', [
      ...before,
      ...spent('11-01', 24, { branch: 'main' }),
      ...spent('11-02', 30, { branch: 'feature/it' }),
    ]);
    expect(rows).toMatchObject([
      {
        billing: 'metered',
        nanoUsd: String(34 * usd),
        bound: 'exact',
        isChange: true,
        title: 'shop spends more: $54.00 against $20.00 in the 31 days before, until the same hour',
        reason: 'feature/it +$30.00, main +$4.00',
        command: 'pi-ledger report --project shop --by branch --since 2026-10-23',
        rows: [
          { is: 'branch', id: 'feature/it', nanoUsd: String(30 * usd) },
          { is: 'branch', id: 'main', nanoUsd: String(4 * usd) },
        ],
      },
    ]);
  });

  it('compare a day that is not over with as much of the one before', async () => {
    const hours = (day: string, hour: string, dollars: number) => {
      sessions += 1;
      const [time, id] = [`2026-${day}T${hour}:30:00.000Z`, `session-${sessions}`];
      return [attributed(time, {}, id), turn(time, { costNanoUsd: dollars * usd }, id)];
    };
    // Noon: what yesterday spent after 13 o'clock has no counterpart yet.
    const given = [...before, ...hours('11-21', '12', 2), ...hours('11-21', '13', 90)];
    const now = hours('11-22', '11', 5);
    const titles = async (query: string) =>
      (await ask([...given, ...now], query)).rows
        .filter(({ kind }) => kind === 'project-spends-more')
        .map(({ title }) => title);
    expect(await titles('since=2026-11-22')).toEqual([
      'shop spends more: $5.00 against $2.00 in the day before, until the same hour',
    ]);
    expect(await titles('since=2026-11-21&until=2026-11-21')).toEqual([
      'shop spends more: $92.00 against nothing in the day before',
    ]);
  });

  it('can be those of one label, one person, one model, one provider', async () => {
    const rules = { user: 'grace' };
    const given = [
      ...before,
      ...spent('10-02', 1, rules),
      ...spent('11-01', 30, rules, 'opus'),
      ...spent('11-02', 60),
    ];
    const amounts = async (query: string) => {
      const { rows, leftOut } = await ask(given, query);
      const more = rows.filter(({ kind }) => kind === 'project-spends-more');
      return [more.map(({ nanoUsd }) => Number(nanoUsd) / usd), leftOut.length];
    };
    expect(await amounts('')).toEqual([[69], 0]);
    expect(await amounts('user=grace')).toEqual([[29], 1]);
    expect(await amounts('model=opus')).toEqual([[30], 1]);
    expect(await amounts('provider=anthropic')).toEqual([[69], 0]);
    expect((await amounts('provider=openai'))[0]).toEqual([]);
    expect(await amounts('label=team%3Dcheckout')).toEqual([[], 1]);
    const { rows } = await ask(given, 'user=grace&since=2026-10-23&until=2026-11-20');
    expect(rows.map(({ command }) => command)).toContain(
      'pi-ledger report --project shop --by branch --since 2026-10-23 --until 2026-11-20 ' +
        '--user grace',
    );
  });

  it('keep metered and subscription apart', async () => {
    const subscription = { billing: { anthropic: 'subscription' as const } };
    const rows = await ofKind('model-spends-more', [
      ...before,
      ...spent('11-01', 40),
      ...spent('11-01', 7, subscription),
    ]);
    expect(rows.map(({ billing, nanoUsd }) => [billing, nanoUsd])).toEqual([
      ['metered', String(19 * usd)],
      ['subscription', String(7 * usd)],
    ]);
  });

  it('are a bound where records without a price are left out', async () => {
    const unpriced = (day: string) =>
      turnOf(day, { costNanoUsd: null, costSource: 'unpriced', model: 'local' });
    const bounds = async (...more: readonly LedgerEvent[]) =>
      (await ofKind('project-spends-more', [...before, ...spent('11-01', 40), ...more])).map(
        ({ bound }) => bound,
      );
    expect(await bounds(...unpriced('11-01'))).toEqual(['atLeast']);
    expect(await bounds(...unpriced('10-02'))).toEqual(['atMost']);
    expect(await bounds(...unpriced('11-01'), ...unpriced('10-02'))).toEqual(['estimated']);
  });

  it('are not told where the ledger does not have the period before', async () => {
    const given = [...spent('10-10', 1), ...spent('11-01', 50)];
    expect(await ofKind('project-spends-more', given)).toEqual([]);
    expect((await ask(given)).leftOut).toEqual([
      'nothing is compared: the ledger does not have the 31 days before',
    ]);
  });
});

function turnOf(day: string, spend: Parameters<typeof turn>[1]) {
  sessions += 1;
  const id = `session-${sessions}`;
  return [attributed(at(day), {}, id), turn(at(day), spend, id)];
}

describe('sessions far above what is usual', () => {
  const usual = Array.from({ length: 8 }, (_, index) => spent('11-10', index % 2 === 0 ? 1 : 2));

  it('are told against the median of their project', async () => {
    const dear = spent('11-11', 15);
    const rows = await ofKind('unusual-session', [...usual.flat(), ...dear]);
    expect(rows).toMatchObject([
      {
        nanoUsd: String(13 * usd),
        isChange: true,
        title: `session session-${sessions} cost 7.5 times its project's median`,
        reason: '$15.00 against $2.00, the median of 9 sessions of shop',
        command: `pi-ledger sessions show session-${sessions}`,
      },
    ]);
  });

  it('count with their subagents', async () => {
    const [dear, child] = [spent('11-11', 5), spent('11-11', 6)];
    const childId = `session-${sessions}`;
    const parentSessionId = `session-${sessions - 1}`;
    const started = event(
      'pi.session.started.v1',
      { at: at('11-11'), session: childId },
      { parentSessionId },
    );
    const rows = await ofKind('unusual-session', [...usual.flat(), ...dear, ...child, started]);
    expect(rows.map(({ rows: [row] }) => [row?.id, row?.nanoUsd])).toEqual([
      [parentSessionId, String(11 * usd)],
    ]);
  });

  it('are not told of few sessions', async () => {
    const given = [...usual.slice(2).flat(), ...spent('11-11', 50)];
    expect(await ofKind('unusual-session', given)).toEqual([]);
  });
});

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

describe('what the contexts of sessions say', () => {
  /** A cached token costs a dollar, another one ten. */
  const tokens = (inputTokens: number, cacheReadTokens: number, model = 'sonnet') => ({
    provider: 'anthropic',
    model,
    ...{ inputTokens, cacheReadTokens, costNanoUsd: usd },
    rawUsage: { cost: { input: inputTokens * 10, cacheRead: cacheReadTokens } },
  });
  const begin = () => {
    const story = new Story('s1');
    story.live('pi.session.attributed.v1', {
      project: { name: 'shop', remote: null, branch: 'main', worktree: null },
      billing: { anthropic: 'metered' },
      utcOffsetMinutes: 0,
    });
    return story.user('u1');
  };

  it('tells answers that sent again what the cache had held, by the reason', async () => {
    const story = begin().turn('t1', tokens(10, 100));
    story.wait(600).turn('t2', tokens(60, 50)).turn('t3', tokens(10, 110));
    story.turn('t4', tokens(100, 20, 'opus'));
    const rows = await ofKind('cache-misses', story.events);
    // 50 and 90 tokens, at ten dollars instead of one.
    expect(rows.map(({ title, nanoUsd, bound }) => [title, nanoUsd, bound])).toEqual([
      [
        'the cache was lost after a switch of the model: 1 answer, 90 tokens sent again',
        String(810 * usd),
        'exact',
      ],
      [
        'the cache was lost after a pause of more than 5 minutes: 1 answer, 50 tokens sent again',
        String(450 * usd),
        'exact',
      ],
    ]);
    expect(rows[0]).toMatchObject({
      billing: 'metered',
      command: 'pi-ledger context s1',
      rows: [{ is: 'session', id: 's1', nanoUsd: String(810 * usd) }],
    });
  });

  it('tells compactions that cost more than they saved, and what was read again', async () => {
    const story = begin().read('r1', 'src/a.ts', 400).turn('t1', tokens(100, 1_000));
    story.compaction('c1', { tokensBefore: 1_100, firstKeptEntryId: 't1' });
    story.turn('t2', tokens(900, 100)).read('r2', 'src/a.ts', 400);
    const lost = await ofKind('compactions-did-not-pay', story.events);
    // It saved 100 tokens at a dollar; 900 were lost of the cache, at nine; 100 read again, at ten.
    expect(lost).toMatchObject([
      {
        nanoUsd: String((900 * 9 + 100 * 10 - 100) * usd),
        bound: 'atLeast',
        title: '1 compaction cost more than it saved',
        rows: [{ is: 'compaction' }],
      },
    ]);
    const again = await ofKind('read-again', story.events);
    expect(again).toMatchObject([{ nanoUsd: String(100 * 10 * usd), bound: 'estimated' }]);
    expect(again[0]?.title).toContain('1 file read again after 1 compaction');
  });

  it('tells large results that were sent with every answer after them', async () => {
    const story = begin().turn('t1', tokens(10, 100));
    story.read('r1', 'src/large.ts', 40_000).read('r2', 'src/small.ts', 4_000);
    story.turn('t2', tokens(10_000, 100)).turn('t3', tokens(10, 10_000));
    const rows = await ofKind('large-results', story.events);
    // 10,000 tokens, once at ten dollars and once at one.
    expect(rows).toMatchObject([
      {
        nanoUsd: String(110_000 * usd),
        bound: 'estimated',
        title: '1 result of read over 10,000 tokens, sent with 2 answers',
        rows: [{ is: 'entry', id: 'r1' }],
      },
    ]);
    expect(rows[0]?.reason).toContain('src/large.ts');
  });
});

describe('the contexts that are read', () => {
  it('are those of the sessions that spent most, and the answer says how many', async () => {
    const many = Array.from({ length: 101 }, (_, index) => spent('11-10', index + 1)).flat();
    const { leftOut } = await ask(many);
    expect(leftOut).toContain('contexts of 100 of 101 sessions were read, those that spent most');
    expect((await ask(many.slice(2))).leftOut.join()).not.toContain('contexts');
  });
});

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
      },
    ]);
  });
});

describe('the list', () => {
  const given = [...spent('09-24', 1), ...spent('11-01', 40), ...spent('11-02', 9, {}, 'opus')];

  it('is sorted by amount and cut to the most of each billing', async () => {
    const all = await ask(given, 'limit=100');
    const amounts = all.rows.map(({ nanoUsd }) => Number(nanoUsd));
    expect(amounts.length).toBeGreaterThan(2);
    expect(amounts).toEqual(amounts.toSorted((left, right) => right - left));
    const cut = await ask(given, 'limit=1');
    expect(cut.rows).toEqual(all.rows.slice(0, 1));
    expect(cut.rowsLeftOut).toBe(all.rows.length - 1);
  });

  it('has the same ids for other periods', async () => {
    const ids = async (since: string) =>
      (await ask(given, `since=${since}`)).rows.map(({ kind, id }) => [kind, id]);
    const [one, other] = [await ids('2026-10-24'), await ids('2026-10-25')];
    expect(one).not.toEqual([]);
    expect(one).toEqual(other);
  });

  it('hides one until it is shown again', async () => {
    const ledger = await holding(given);
    const list = async (query = ''): Promise<Insights> =>
      (await get(ledger, `/v1/insights${query}`)).json();
    const [first] = (await list()).rows;
    const hide = (hidden: boolean) =>
      ledger.app.inject({
        method: 'POST',
        url: `/v1/insights/${first?.id}/hidden`,
        payload: { hidden },
      });
    expect((await hide(true)).json()).toEqual({ hidden: [first?.id] });
    const without = await list();
    expect(without.rows.map(({ id }) => id)).not.toContain(first?.id);
    expect(without.hiddenRows).toBe(1);
    expect((await list('?hidden=include')).rows[0]).toEqual({ ...first, hidden: true });
    expect((await hide(false)).json()).toEqual({ hidden: [] });
    expect((await list()).rows[0]).toEqual(first);
  });

  it('takes the day that has begun in the east', async () => {
    expect(await ask(given, 'since=2026-11-23')).toMatchObject({
      since: '2026-11-23',
      until: '2026-11-23',
    });
  });

  it.each(['someday', '2026-10-01'])('refuses until=%s after a later first day', async (until) => {
    const answer = await get(await holding(given), `/v1/insights?since=2026-11-01&until=${until}`);
    expect(answer.json()).toMatchObject({ code: 'bad_parameter', field: 'until' });
  });

  it.each(['2026-11-24', 'someday', '1999-01-01'])('refuses since=%s', async (since) => {
    const answer = await get(await holding(given), `/v1/insights?since=${since}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'bad_parameter', field: 'since' });
  });
});
