/** What the log says when later events move records and account for claims. */
import { describe, expect, it } from 'vitest';
import { computeRests } from '../../../collector/reconcile/claims.ts';
import { type LogFacts, readLogFacts } from '../../../collector/reconcile/log-facts.ts';
import { countedBy, type Json, moved, unitsOf } from './support/log-moves.ts';
import { aLedger, anEvent, at, event, live, spendOf } from './support/two-sides.ts';

const one = { id: 'a1', second: 1 };

const two = { id: 'a2', second: 2, input: 20 };

const readFacts = (...events: readonly Json[]) => readLogFacts(aLedger({ events }).ask, () => null);

function claimed(subject: string, entryId: string, key = 'agent:A'): Json {
  return anEvent('pi.subagent.claimed.v1', subject, 5, {
    entryId,
    key,
    turnEntryId: 't1',
    claimed: spendOf({ id: entryId, second: 5 }),
  });
}

describe('a record that was moved', () => {
  const entry = event('b', one);

  it('counts under the session that it was moved to, and is found there', async () => {
    const facts = await readFacts(
      entry,
      moved('out', 'b', entry),
      moved('in', 'a', entry),
      live('b', two),
    );
    expect(countedBy(facts)).toEqual(['b 1 1000000', 'a 1 1000000']);
    expect(await unitsOf(facts, 'a', 'b')).toEqual([
      `a a1 3 ${entry.id} imported`,
      expect.stringMatching(/^b a2 4 \S+ live$/),
    ]);
    expect(await unitsOf(facts, 'b')).toHaveLength(1);
    expect(facts.sessions.get('a')?.imported).toBe(true);
  });

  it('counts where it was moved to last', async () => {
    const moves = [
      moved('out', 'b', entry),
      moved('in', 'a', entry),
      moved('out', 'a', entry),
      moved('in', 'z', entry),
    ];
    const facts = await readFacts(entry, ...moves);
    expect(countedBy(facts)).toEqual(['z 1 1000000']);
    expect(await unitsOf(facts, 'a', 'b', 'z')).toEqual([`z a1 5 ${entry.id} imported`]);
  });

  it('that was only taken away is missing, and one that was only given is there', async () => {
    expect(countedBy(await readFacts(entry, moved('out', 'b', entry)))).toEqual([]);
    expect(countedBy(await readFacts(moved('in', 'a', entry)))).toEqual(['a 1 1000000']);
  });

  it('is found where it was moved to, in whatever order the log tells of the move', async () => {
    const facts = await readFacts(entry, moved('in', 'a', entry), moved('out', 'b', entry));
    expect(countedBy(facts)).toEqual(['a 1 1000000']);
    expect(await unitsOf(facts, 'a', 'b')).toEqual([`a a1 2 ${entry.id} imported`]);
  });

  it('makes no room for claims where it is none', async () => {
    const moves = [entry, moved('out', 'b', entry), moved('in', 'a', entry)];
    const events = [claimed('b', 'c1'), ...moves, claimed('b', 'c2')];
    await expect(readLogFacts(aLedger({ events }).ask, () => null, 1)).rejects.toThrow(
      'The log has more than 1 subagent claims',
    );
  });

  it('that nobody has told of is no record of a session that it was taken from', async () => {
    expect(countedBy(await readFacts(moved('out', 'b', entry)))).toEqual(['b -1 -1000000']);
  });

  it('may be a claim: it is the other session’s claim then, and its own stay', async () => {
    const [mine, yours] = [claimed('b', 'c1'), claimed('b', 'c2')];
    const facts = await readFacts(mine, yours, moved('out', 'b', mine), moved('in', 'a', mine));
    expect(
      [...facts.sessions].map(([id, { book }]) => [id, book.claims.map(({ entryId }) => entryId)]),
    ).toEqual([
      ['b', ['c2']],
      ['a', ['c1']],
    ]);
    const last = await readFacts(yours, mine, moved('out', 'b', mine));
    expect(last.sessions.get('b')?.book.claims.map(({ entryId }) => entryId)).toEqual(['c2']);
    const none = await readFacts(yours, moved('out', 'b', mine));
    expect(none.sessions.get('b')?.book.claims.map(({ entryId }) => entryId)).toEqual(['c2']);
  });

  it('leaves room for another claim', async () => {
    const claims = [claimed('b', 'c1'), claimed('b', 'c2')];
    const [first = {}] = claims;
    const events = [...claims, moved('out', 'b', first), moved('in', 'a', first)];
    expect((await readLogFacts(aLedger({ events }).ask, () => null, 2)).sessions.size).toBe(2);
    await expect(
      readLogFacts(aLedger({ events: [...events, claimed('b', 'c3')] }).ask, () => null, 2),
    ).rejects.toThrow('The log has more than 2 subagent claims');
  });
});

describe('what subagents say that they account for', () => {
  const accounted = (keys: readonly string[], child = 'c', subject = 'p') =>
    anEvent('pi.subagent.accounted.v1', subject, 6, {
      childSessionId: child,
      childEntryId: 'e',
      keys,
      accounted: spendOf(one),
    });
  const said = ({ accountedByChild }: LogFacts) =>
    [...accountedByChild].map(([child, byKey]) => [
      child,
      [...byKey].map(([key, { inputTokens }]) => `${key} ${inputTokens}`),
    ]);

  it('covers what the parent claims', async () => {
    const facts = await readFacts(claimed('p', 'c1'), accounted(['agent:A']));
    expect(computeRests(facts.sessions.get('p')?.book ?? expect.fail('no session')).size).toBe(0);
  });

  it('adds up by parent and key, of answers only where there is no sum', async () => {
    const events = [
      accounted(['turn:t1', 'response:1']),
      accounted(['turn:t1', 'response:2']),
      accounted(['response:3']),
      accounted(['turn:t1'], 'd'),
    ];
    expect(said(await readFacts(...events, accounted(['turn:t1'], 'd', 'q')))).toEqual([
      ['c', ['p turn:t1 20', 'p response:3 10']],
      ['d', ['p turn:t1 10', 'q turn:t1 10']],
    ]);
  });
});

describe('the log, read on', () => {
  it('says whether something was new, page after page', async () => {
    const ledger = aLedger({
      events: [event('s', one), event('s', two), event('s', { id: 'a3', second: 3 })],
      pageRows: 2,
    });
    const facts = await readLogFacts(ledger.ask, () => null);
    expect([facts.events(), await facts.readOn(), facts.events()]).toEqual([3, false, 3]);
    ledger.events.push(event('s', { id: 'a4', second: 4 }));
    expect([
      await facts.readOn(),
      await facts.readOn(),
      facts.events(),
      facts.sessions.get('s')?.sums.units,
    ]).toEqual([true, false, 4, 4]);
    expect(await unitsOf(facts, 's')).toHaveLength(4);
  });

  it('names sessions with records in another session’s file, and these', async () => {
    const { ask } = aLedger({
      events: [event('s', one), event('x', two), event('y', { id: 'a3', second: 3 })],
    });
    const owners = ['s', 'elsewhere', null];
    const facts = await readLogFacts(ask, () => owners.shift() ?? null);
    expect([...facts.moved]).toEqual(['elsewhere', 'x']);
  });

  it('leaves out what is of before the floor, by the time in its id', async () => {
    const events = [event('s', one), event('s', two)];
    const facts = await readLogFacts(
      aLedger({ events }).ask,
      () => null,
      undefined,
      Date.parse(at(2)),
    );
    expect(countedBy(facts)).toEqual(['s 1 1000000']);
    expect(await unitsOf(facts, 's')).toHaveLength(1);
  });

  it('is imported once an importer has told of it, whoever tells of it later', async () => {
    const facts = await readFacts(
      live('s', one),
      event('s', two),
      live('s', { id: 'a3', second: 3 }),
      live('x', one),
    );
    expect([facts.sessions.get('s')?.imported, facts.sessions.get('x')?.imported]).toEqual([
      true,
      false,
    ]);
  });
});
