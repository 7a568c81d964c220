/**
 * `pi-ledger withdraw`: what was sent wrongly counts no longer, in no answer, in no counter, and
 * not when it comes again. The truth is what was sent, added up here.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { readCollectorFile } from '../../../../collector/process/collector-file.ts';
import { liveEventId } from '../../../../core/record/identity/event-id.ts';
import { event } from '../../projections/support/given.ts';
import { sentSpend, session, start } from '../../support/sent-spend.ts';

const running = sentSpend();
/** Before 2026-11-10. */
const old = '2026-11-01T09:00:00.000Z';

describe('pi-ledger withdraw', () => {
  it('takes an event back, and nothing else, for good', async () => {
    const { send, spent, run } = await running();
    const forged = session('forged', 200);
    await send([...session('real', 7), ...forged]);
    expect(await spent()).toBe(207);
    const { id } = forged[1] as { id: string };
    const dry = await run('withdraw', 'event', id, '--reason', 'made up', '--dry-run');
    expect(dry.printed).toContain('would withdraw: 1 event in 1 session');
    expect(await spent()).toBe(207);
    const taken = await run('withdraw', 'event', id, '--reason', 'made up');
    expect(taken.printed).toContain('withdrawn: 1 event in 1 session');
    await expect.poll(spent).toBe(7);
    await send(forged);
    expect(await spent()).toBe(7);
    const list = await run('withdraw', 'list', '--json');
    expect(JSON.parse(list.printed).rows).toMatchObject([{ events: [id], reason: 'made up' }]);
    expect((await run('withdraw', 'list')).printed).toMatch(/made up +this machine$/m);
    const again = await run('withdraw', 'event', id, '--reason', 'made up');
    expect(again).toMatchObject({ code: 1, complained: expect.stringContaining('already') });
  });

  it('takes a session back, with whatever of it comes later: it is listed nowhere', async () => {
    const { send, spent, run } = await running();
    await send([...session('real', 7), ...session('forged', 200)]);
    await run('withdraw', 'session', 'forged', '--reason', 'a test');
    await expect.poll(spent).toBe(7);
    await send(session('forged', 500, '2026-11-22T10:00:00.000Z'));
    expect(await spent()).toBe(7);
    const { printed } = await run('sessions', '--json');
    expect(JSON.parse(printed).rows.map((row: { id: string }) => row.id)).toEqual(['real']);
  });

  it('takes back what a token sent since then, and what others sent stays', async () => {
    const { send, spent, run, tokens } = await running({ auth: 'required' });
    const [ada, eve] = tokens as [(typeof tokens)[0], (typeof tokens)[0]];
    await send(session('ada', 7), ada.token);
    await send(session('eve', 200), eve.token);
    expect(await spent()).toBe(207);
    const named = ['withdraw', 'token', eve.id, '--reason', 'leaked'];
    const future = await run(...named, '--since', '2999-01-01');
    expect(future.code).toBe(2);
    const taken = await run(...named, '--since', '1h');
    expect(taken.printed).toContain('2 events in 1 session');
    await expect.poll(spent).toBe(7);
    const nobody = await run('withdraw', 'token', 'ffffffffffff', '--since', '1h', '--reason', 'x');
    expect(nobody).toMatchObject({ code: 1, complained: expect.stringContaining('no token') });
  });

  it('says which events do not tell the token', async () => {
    const { send, run } = await running();
    const made = await run('token', 'create', '--user', 'eve', '--scope', 'ingest', '--json');
    const { id } = JSON.parse(made.printed) as { id: string };
    await send(session('nobody knows', 7));
    const told = await run('withdraw', 'token', id, '--since', '1h', '--reason', 'x');
    expect(told.printed).toContain('nothing to withdraw');
    expect(told.printed).toContain('2 events of that time do not say which token sent them');
  });

  it('begins new counters: nothing falls within a series', async () => {
    const { send, spent, run, url } = await running();
    await send([...session('real', 7), ...session('forged', 200)]);
    expect(await spent()).toBe(207);
    const totals = async () => (await fetch(`${url}/v1/totals`)).json() as Promise<Totals>;
    const before = await totals();
    await run('withdraw', 'session', 'forged', '--reason', 'a test');
    await expect.poll(spent).toBe(7);
    const after = await totals();
    expect(after.generation).not.toBe(before.generation);
  });

  it('leaves it out of an export, which says so, and keeps the withdrawal', async () => {
    const { send, run, env } = await running();
    await send([...session('real', 7), ...session('forged', 200)]);
    await run('withdraw', 'session', 'forged', '--reason', 'a test');
    const file = join(String(env.HOME), `${env.PI_LEDGER_HOME?.split('/').at(-1)}.ndjson`);
    const exported = await run('export', file);
    expect(exported.complained + exported.printed).toContain('2 withdrawn events left out');
    const other = await running();
    await other.run('import-events', file);
    expect(await other.spent()).toBe(7);
    await other.send(session('forged', 200));
    expect(await other.spent()).toBe(7);
  });

  it('is explained by reconcile, whose files still have it', async () => {
    const { run, spent, env } = await running();
    const files = join(String(env.PI_LEDGER_HOME), 'files');
    mkdirSync(files, { recursive: true });
    for (const [id, total] of [
      ['one', 0.25],
      ['two', 0.5],
    ] as const)
      writeSession(join(files, `${id}.jsonl`), id, total);
    await run('import', '--pi', files);
    expect(await spent()).toBe(750_000_000);
    await run('withdraw', 'session', 'two', '--reason', 'a test');
    await expect.poll(spent).toBe(250_000_000);
    const rows = await run('reconcile', '--pi', files);
    expect(rows).toMatchObject({ code: 0, printed: expect.stringContaining('withdrawn') });
    await run('import', '--pi', files);
    expect(await spent()).toBe(250_000_000);
    const forgotten = await run('report', '--json');
    expect(JSON.parse(forgotten.printed).total).toMatchObject({ records: 1 });
  });

  it('is in no sum of a seal that comes before the views are folded anew', async () => {
    const { send, spent, run, url } = await running();
    await send([...session('real', 7, old), ...session('forged', 200, old), ...session('new', 5)]);
    expect(await spent()).toBe(212);
    await run('withdraw', 'session', 'forged', '--reason', 'made up');
    await run('seal', '--before', '2026-11-10');
    expect(await spent()).toBe(12);
    const counted = async () => {
      const answer = await fetch(`${url}/v1/totals?metric=pi.cost.usd`);
      const { rows } = (await answer.json()) as { rows: { amount: string }[] };
      return rows.reduce((sum, { amount }) => sum + Number(amount), 0) * 1e9;
    };
    expect(await counted()).toBeCloseTo(12);
    await run('rebuild', 'sessions');
    expect(await counted()).toBeCloseTo(12);
    expect(await spent()).toBe(12);
  });

  it('refuses what is sealed, with the reason', async () => {
    const { send, run } = await running();
    const sealed = session('old', 7, old);
    await send([...sealed, ...session('new', 5)]);
    await run('seal', '--before', '2026-11-10');
    const { id } = sealed[1] as { id: string };
    for (const words of [
      ['event', id],
      ['session', 'old'],
    ]) {
      const refused = await run('withdraw', ...words, '--reason', 'late');
      expect(refused.code).toBe(2);
      expect(refused.complained).toContain('2026-11-10 is sealed');
    }
  });

  it('refuses a session that was only seen before what is sealed', async () => {
    const { send, spent, run } = await running();
    const tool = event('pi.tool.completed.v1', { at: old, session: 'x' });
    const ran = event('pi.run.completed.v1', { at: old, session: 'x' });
    const seen = [tool, ran].map((each) => ({ ...each, id: liveEventId(Date.parse(old)) }));
    await send([...seen, ...session('x', 5)]);
    expect(await spent()).toBe(5);
    await run('seal', '--before', '2026-11-10');
    const refused = await run('withdraw', 'session', 'x', '--reason', 'late');
    expect(refused.code).toBe(2);
    expect(refused.complained).toContain('A part of this session is');
    expect(await spent()).toBe(5);
  });

  it('says what stays counted of what a token sent', async () => {
    const { send, spent, run, tokens } = await running({ auth: 'required' });
    const [, eve] = tokens as [(typeof tokens)[0], (typeof tokens)[0]];
    await send([...session('both', 200, old), ...session('both', 30)], eve.token);
    await send(session('new', 1), eve.token);
    expect(await spent()).toBe(231);
    await run('seal', '--before', '2026-11-10');
    const named = ['withdraw', 'token', eve.id, '--since', '1h', '--reason', 'leaked'];
    const dry = await run(...named, '--dry-run', '--json');
    expect(JSON.parse(dry.printed)).toMatchObject({ events: 4, sessions: 2, sealedSessions: 1 });
    const { printed } = await run(...named);
    expect(printed).toContain('what happened before 2026-11-10 is sealed, and stays counted');
    expect(printed).toContain('a part of 1 session is');
    expect(printed).toContain('how much of it this token sent is not known any more');
    await expect.poll(spent).toBe(200);
  });

  it.each(['event', 'session'] as const)('leaves a seal alone, named as %s', async (what) => {
    const { send, spent, run, url } = await running();
    await send([...session('sealed', 100, old), ...session('new', 17)]);
    await run('seal', '--before', '2026-11-10');
    expect(await spent()).toBe(117);
    const answer = await fetch(`${url}/v1/log?limit=1000`);
    const { rows } = (await answer.json()) as { rows: { event: LedgerEvent }[] };
    const seal = rows.find((row) => row.event.type === 'pi.history.sealed.v1')?.event;
    const id = String(what === 'event' ? seal?.id : seal?.subject);
    const refused = await run('withdraw', what, id, '--reason', 'x');
    const complaint = what === 'event' ? 'the ledger wrote this event' : 'no such session';
    expect(refused.complained).toContain(complaint);
    expect(refused.code).toBeGreaterThan(0);
    await send(session('newer', 3));
    expect(await spent()).toBe(120);
  });

  it('leaves a budget alone whose name a session took', async () => {
    const budget = { name: 'm', per: 'month', limit: 100, in: 'metered dollars' };
    const { send, spent, run, url } = await running({}, { budgets: [budget] });
    const ofBudget = async () => {
      const answer = await fetch(`${url}/v1/log?limit=1000`);
      const { rows } = (await answer.json()) as { rows: { event: LedgerEvent }[] };
      return rows.filter(({ event: { type } }) => type === 'pi.budget.defined.v1').length;
    };
    await expect.poll(ofBudget).toBe(1);
    await send(session('/budgets/m', 7));
    expect(await spent()).toBe(7);
    const taken = await run('withdraw', 'session', '/budgets/m', '--reason', 'forged');
    expect(taken.printed).toContain('withdrawn: 2 events in 1 session');
    await expect.poll(spent).toBe(0);
    expect(await ofBudget()).toBe(1);
  });

  it('takes the labels of a session back with it', async () => {
    const { send, spent, run } = await running();
    await send([...session('real', 7), ...session('forged', 200)]);
    expect(await spent()).toBe(207);
    expect((await run('label', 'ticket=A-1', '--since', '2026-11-01')).code).toBe(0);
    const taken = await run('withdraw', 'session', 'forged', '--reason', 'a test');
    expect(taken.printed).toContain('withdrawn: 3 events');
    await expect.poll(spent).toBe(7);
    const { printed } = await run('sessions', '--json');
    expect(JSON.parse(printed).rows.map((row: { id: string }) => row.id)).toEqual(['real']);
  });

  it.each([
    [{ session: 'forged', reason: ' \n' }, 'reason'],
    [{ token: 'TOKEN', since: '2026-02-31', reason: 'x' }, 'since'],
    [{ token: 'TOKEN', since: '2026-02-31T09:00:00Z', reason: 'x' }, 'since'],
  ])('refuses %j over HTTP, too', async (body, field) => {
    const { send, run, url, env } = await running();
    await send(session('forged', 200));
    const made = await run('token', 'create', '--user', 'eve', '--scope', 'ingest', '--json');
    const { id } = JSON.parse(made.printed) as { id: string };
    const ask = (headers: Record<string, string>) =>
      fetch(`${url}/v1/withdrawals`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body).replace('TOKEN', id),
      });
    const machine = readCollectorFile(String(env.PI_LEDGER_HOME))?.token;
    const answer = await ask({ authorization: `Bearer ${machine}` });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(field);
    // Not even where none is needed for anything else.
    const without = await ask({});
    expect([without.status, await without.text()]).toEqual([
      403,
      expect.stringContaining('a token with the scope admin'),
    ]);
  });

  it.each<[words: readonly string[], complaint: string]>([
    [['event', 'x'], '--reason'],
    [['session', 'nobody', '--reason', 'x'], 'no such session'],
    [['event', 'x', '--reason', ' '], 'say why'],
    [['token', 'x', '--reason', 'x'], '--since'],
  ])('names what is wrong with %j', async (words, complaint) => {
    const { run } = await running();
    const { code, complained } = await run('withdraw', ...words);
    expect(code).toBeGreaterThan(0);
    expect(complained).toContain(complaint);
  });
});

interface Totals {
  readonly generation: string;
}

function writeSession(path: string, id: string, total: number): void {
  const usage = { input: 9, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 10 };
  const message = {
    role: 'assistant',
    content: [],
    provider: 'p',
    model: 'm',
    responseId: id,
    timestamp: Date.parse(start),
    usage: { ...usage, cost: { total } },
  };
  const entry = { type: 'message', id: `${id}-1`, parentId: null, timestamp: start, message };
  const header = { type: 'session', version: 3, id, timestamp: start, cwd: '/p' };
  writeFileSync(path, [header, entry].map((each) => `${JSON.stringify(each)}\n`).join(''));
}
