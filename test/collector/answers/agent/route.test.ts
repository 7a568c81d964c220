/** `GET /v1/agent`: a session, its subagents, and its user's day and month. */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import type { AgentOverview, AgentSpent, Budget } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { attributed, event, spendOf, turn } from '../../projections/support/given.ts';
import { budget } from '../../roles/budgets/support.ts';
import { guardedLedgers } from '../../support/guarded.ts';
import { get, ledgerHomes } from '../../support/ledger.ts';
import { offer } from '../../support/two-people.ts';

const homes = ledgerHomes();
const guarded = guardedLedgers();
const today = '2026-11-22T10:00:00.000Z';
const yesterday = '2026-11-21T10:00:00.000Z';
const url = '/v1/agent?session=mine&day=2026-11-22';

function cost(costNanoUsd: number | null) {
  return { costNanoUsd, costSource: costNanoUsd === null ? 'unpriced' : 'catalog' } as const;
}

function child(id: string, parentSessionId: string) {
  const agent: EventData<'pi.session.attributed.v1'>['agent'] = { kind: 'subagent', name: null };
  const place = { at: today, session: id };
  return [
    event('pi.session.started.v1', place, { parentSessionId, cwd: '/home' }),
    attributed(today, { agent }, id),
  ];
}

/** Amounts of the kinds of billing that have records. */
function amounts(spent: AgentSpent | null): Readonly<Record<string, string>> {
  const kinds = Object.entries(spent ?? {}).filter(([, { records, nanoUsd }]) =>
    Boolean(records || nanoUsd !== '0'),
  );
  return Object.fromEntries(kinds.map(([kind, { nanoUsd }]) => [kind, nanoUsd]));
}

async function asked(...events: readonly LedgerEvent[]): Promise<AgentOverview> {
  return (await get(await homes.holding(events), url)).json();
}

describe('GET /v1/agent', () => {
  it("answers the session, its project's and its user's day, and the month", async () => {
    const answer = await asked(
      attributed(today, {}, 'mine'),
      turn(today, cost(1), 'mine'),
      attributed(today, { project: 'blog' }, 'other'),
      turn(today, cost(10), 'other'),
      attributed(yesterday, {}, 'before'),
      turn(yesterday, cost(100), 'before'),
      attributed(today, { user: 'bob' }, 'of-bob'),
      turn(today, cost(1_000), 'of-bob'),
      attributed('2026-10-31T10:00:00.000Z', {}, 'last-month'),
      turn('2026-10-31T10:00:00.000Z', cost(10_000), 'last-month'),
    );
    expect(answer).toMatchObject({ user: 'ada', session: { id: 'mine', project: 'shop' } });
    expect(amounts(answer.session?.spent ?? null)).toEqual({ metered: '1' });
    expect(amounts(answer.projectToday)).toEqual({ metered: '1' });
    expect(amounts(answer.today)).toEqual({ metered: '11' });
    expect(amounts(answer.month)).toEqual({ metered: '111' });
    expect(answer).toMatchObject({
      ...{ isBehind: false, importing: null },
      leftOut: { files: 0, count: 0 },
    });
  });

  it("counts the spender's own day", async () => {
    const late = '2026-11-21T23:30:00.000Z';
    const answer = await asked(
      attributed(late, { offset: 60 }, 'mine'),
      turn(late, cost(1), 'mine'),
    );
    expect(amounts(answer.today)).toEqual({ metered: '1' });
  });

  it('keeps kinds of billing apart, and counts what has no price or report', async () => {
    const answer = await asked(
      attributed(today, { billing: { anthropic: 'metered', plan: 'subscription' } }, 'mine'),
      turn(today, cost(1), 'mine'),
      turn(today, { provider: 'plan', ...cost(20) }, 'mine'),
      turn(today, { provider: 'else', ...cost(300) }, 'mine'),
      turn(today, cost(null), 'mine'),
      turn(today, { reported: false, inputTokens: 0, ...cost(null) }, 'mine'),
    );
    expect(answer.today).toEqual({
      metered: { records: 3, nanoUsd: '1', unpricedRecords: 1, unreportedRecords: 1 },
      subscription: { records: 1, nanoUsd: '20', unpricedRecords: 0, unreportedRecords: 0 },
      unknown: { records: 1, nanoUsd: '300', unpricedRecords: 0, unreportedRecords: 0 },
    });
  });

  it('shows what subagents recorded at every level, beside the session', async () => {
    const answer = await asked(
      attributed(today, {}, 'mine'),
      turn(today, cost(1), 'mine'),
      ...child('below', 'mine'),
      turn(today, cost(10), 'below'),
      ...child('deeper', 'below'),
      turn(today, cost(100), 'deeper'),
    );
    expect(amounts(answer.session?.spent ?? null)).toEqual({ metered: '1' });
    expect(answer.session?.subagents).toMatchObject({ sessions: 2, isAtLeast: false });
    expect(amounts(answer.session?.subagents.spent ?? null)).toEqual({ metered: '110' });
    expect(amounts(answer.today)).toEqual({ metered: '111' });
  });

  it('names what is only claimed of subagents, as a part of the session', async () => {
    const claim = (key: string, costNanoUsd: number) =>
      event(
        'pi.subagent.claimed.v1',
        { at: today, session: 'mine' },
        { key, claimed: spendOf({ inputTokens: 5, costNanoUsd }) },
      );
    const answer = await asked(
      attributed(today, {}, 'mine'),
      turn(today, cost(1), 'mine'),
      claim('agent:one', 10),
      claim('response:0123456789abcdef', 100),
    );
    expect(amounts(answer.session?.claimed ?? null)).toEqual({ metered: '110' });
    expect(amounts(answer.session?.spent ?? null)).toEqual({ metered: '111' });
  });

  it("answers everybody's sums where neither the session nor a user is known", async () => {
    const answer = await asked(
      attributed(today, {}, 'one'),
      turn(today, cost(1), 'one'),
      attributed(today, { user: 'bob' }, 'two'),
      turn(today, cost(10), 'two'),
    );
    expect(answer).toMatchObject({ user: null, session: null, projectToday: null });
    expect(amounts(answer.today)).toEqual({ metered: '11' });
  });

  it('refuses a day that is none', async () => {
    const ledger = await homes.holding([]);
    const answer = await get(ledger, '/v1/agent?session=mine&day=2026-02-30');
    expect([answer.status, answer.json().field]).toEqual([400, 'day']);
  });
});

describe('GET /v1/agent for tokens', () => {
  async function answerFor(token: object, settings: object = {}) {
    const subject = await guarded.open(settings);
    await offer(subject, [
      attributed(today, { user: 'bob' }, 'mine'),
      turn(today, cost(1), 'mine'),
      attributed(today, { user: 'ada', project: 'vault' }, 'adas'),
      turn(today, cost(10), 'adas'),
    ]);
    const { text } = await subject.make({ user: 'ada', scopes: ['read'], ...token });
    const { status, text: body } = await subject.ask({ url, token: text });
    return { status, body: JSON.parse(body) };
  }

  it("answers a token's own sums only, and of nobody else's session", async () => {
    const { body } = await answerFor({ onlyOwn: true });
    expect(body).toMatchObject({ user: 'ada', session: null, projectToday: null });
    expect(amounts(body.today)).toEqual({ metered: '10' });
  });

  it('answers of the projects that a token may read', async () => {
    const { body } = await answerFor({ projects: ['vault'] });
    expect(body).toMatchObject({ user: 'ada', session: null });
    expect(amounts(body.month)).toEqual({ metered: '10' });
  });

  it("answers budgets of the session's project and user, and those of everybody", async () => {
    const budgets = [
      budget('all'),
      budget('of-ada', { user: 'ada' }),
      budget('of-bob', { user: 'bob', per: 'month', limit: '0.000000002' }),
      budget('shop', { project: 'shop', endsHeadlessRuns: true }),
      budget('vault', { project: 'vault' }),
    ];
    const { body } = await answerFor({}, { budgets });
    const ends = body.budgets.map((each: Budget) => each.endsHeadlessRuns);
    expect(ends).toEqual([false, false, true]);
    const rows = body.budgets.map(({ name, used }: { name: string; used: string }) => [name, used]);
    expect(rows).toEqual([
      ['all', '0.000000011'],
      ['of-bob', '0.000000001'],
      ['shop', '0.000000001'],
    ]);
    const own = await answerFor({ onlyOwn: true }, { budgets });
    expect(own.body.budgets.map(({ name }: { name: string }) => name)).toEqual(['of-ada']);
  });

  it('requires `read`, and answers nobody who is told of large groups only', async () => {
    expect(await answerFor({ scopes: ['ingest'] })).toMatchObject({
      status: 403,
      body: { code: 'scope_missing' },
    });
    expect((await answerFor({}, { minimumUsers: 3 })).status).toBe(403);
    expect((await answerFor({ onlyOwn: true }, { minimumUsers: 3 })).status).toBe(200);
  });
});
