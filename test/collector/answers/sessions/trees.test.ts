import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMembers, findRoots } from '../../../../collector/answers/sessions/trees.ts';
import type { Ledger } from '../../../../collector/roles/ledger.ts';
import { exampleEvent } from '../../support/events.ts';
import { type FamilyOptions, memberEvents } from '../../support/family.ts';
import { get, ledgerHomes, post } from '../../support/ledger.ts';

const homes = ledgerHomes();

async function familyOf(...wishes: FamilyOptions[]): Promise<Ledger> {
  const ledger = await homes.open();
  await post(ledger, wishes.flatMap(memberEvents));
  await ledger.subscription.catchUp();
  return ledger;
}

/** A root with a fork, whose subagent has a subagent of its own; and an unrelated session. */
const family: FamilyOptions[] = [
  { id: 'root', nanoUsd: 1 },
  { id: 'fork', parent: 'root', nanoUsd: 10, at: '2026-11-21T08:00:00.000Z' },
  {
    id: 'sub',
    parent: 'fork',
    agent: 'subagent',
    agentName: 'Explore',
    nanoUsd: 100,
    at: '2026-11-21T09:00:00.000Z',
    user: 'bob',
  },
  {
    id: 'sub of sub',
    parent: 'sub',
    agent: 'subagent',
    nanoUsd: 1_000,
    at: '2026-11-22T08:00:00.000Z',
  },
  { id: 'other', nanoUsd: 10_000, project: 'blog' },
];

function copyOf(subject: string, copySessionId: string, number: number) {
  const data = { copySessionId, entries: 2, spendEntries: 1, ownerAssumed: false };
  const time = '2026-11-20T08:00:00.000Z';
  return exampleEvent({ number, type: 'pi.session.copied.v1', subject, sequence: 0, time, data });
}

describe('usage by tree', () => {
  it('sums forks and subagents to the root, and has the total of any report', async () => {
    const ledger = await familyOf(...family);
    const { rows, total } = (await get(ledger, '/v1/usage?by=tree')).json();
    expect(rows).toMatchObject([
      { tree: 'other', sessions: 1, records: 1, meteredNanoUsd: '10000' },
      { tree: 'root', sessions: 4, records: 4, meteredNanoUsd: '1111' },
    ]);
    expect(total).toEqual((await get(ledger, '/v1/usage?by=session')).json().total);
  });

  it.each([
    ['user=bob', [['root', 1, '100']]],
    ['project=shop', [['root', 4, '1111']]],
    ['session=fork&session=sub', [['root', 2, '110']]],
    ['since=2026-11-21&until=2026-11-21', [['root', 2, '110']]],
    ['since=2026-11-21&until=2026-11-21&timezone=Asia/Tokyo', [['root', 2, '110']]],
    ['since=2026-11-23', []],
  ])('narrowed by %s counts what fits, under the same root', async (query, expected) => {
    const { rows } = (await get(await familyOf(...family), `/v1/usage?by=tree&${query}`)).json();
    expect(
      rows.map((row: Record<string, unknown>) => [row.tree, row.sessions, row.meteredNanoUsd]),
    ).toEqual(expected);
  });

  it('keeps the children of a session that was never recorded together, under its id', async () => {
    const ledger = await familyOf(
      { id: 'a', parent: 'gone', nanoUsd: 1 },
      { id: 'b', parent: 'gone', nanoUsd: 10 },
    );
    expect((await get(ledger, '/v1/usage?by=tree')).json().rows).toMatchObject([
      { tree: 'gone', sessions: 2, meteredNanoUsd: '11' },
    ]);
  });

  it('takes a cycle of parents as one tree, and its own parent as a root', async () => {
    const ledger = await familyOf(
      { id: 'c', parent: 'a' },
      { id: 'a', parent: 'b' },
      { id: 'b', parent: 'c' },
      { id: 'below', parent: 'c' },
      { id: 'self', parent: 'self' },
    );
    const { rows } = (await get(ledger, '/v1/usage?by=tree')).json();
    expect(rows).toMatchObject([
      { tree: 'a', sessions: 4 },
      { tree: 'self', sessions: 1 },
    ]);
  });

  it('is CSV with the number of sessions', async () => {
    const { text } = await get(await familyOf(...family), '/v1/usage?by=tree&format=csv');
    expect(text).toMatch(/^tree,sessions,records,.*\r\nother,1,1,.*\r\nroot,4,4,/);
  });
});

describe('trees of sessions', () => {
  it('has one root and the same members for every session, with any parents', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const parent = fc.constantFrom(null, ...ids, 'unknown');
    await fc.assert(
      fc.asyncProperty(
        fc.array(parent, { minLength: ids.length, maxLength: ids.length }),
        async (parents) => {
          const ledger = await familyOf(
            ...ids.map((id, index) => ({ id, parent: parents[index] ?? null })),
          );
          const roots = await findRoots(ledger.views, ids);
          for (const [index, id] of ids.entries()) {
            expect(roots.get(id)).toBe(roots.get(parents[index] ?? '') ?? parents[index] ?? id);
            const members = await findMembers(ledger.views, [id]);
            const ofSameRoot = ids.filter((other) => roots.get(other) === roots.get(id));
            expect(members.filter((member) => member !== 'unknown').toSorted()).toEqual(ofSameRoot);
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('walks a chain of a thousand forks once', async () => {
    const chain = Array.from({ length: 1_000 }, (_, n) => ({
      id: `s${n}`,
      parent: n === 0 ? null : `s${n - 1}`,
    }));
    const ledger = await familyOf(...chain);
    expect((await findRoots(ledger.views, ['s999'])).get('s999')).toBe('s0');
    expect(await findMembers(ledger.views, ['s500'])).toHaveLength(1_000);
    expect((await get(ledger, '/v1/usage?by=tree')).json().rows).toMatchObject([
      { tree: 's0', sessions: 1_000 },
    ]);
  });

  it('says so when a tree has too many', async () => {
    const ledger = await familyOf(...family);
    await expect(findMembers(ledger.views, ['sub'], 3)).rejects.toMatchObject({
      code: 'bad_parameter',
      field: 'tree',
    });
    await expect(findMembers(ledger.views, ['sub'], 4)).resolves.toHaveLength(4);
  });

  it('finds more children than one query brings', async () => {
    const children = Array.from({ length: 1_200 }, (_, n) => ({ id: `c${n}`, parent: 'root' }));
    const ledger = await familyOf({ id: 'root' }, ...children);
    expect(await findMembers(ledger.views, ['c7'])).toHaveLength(1_201);
    expect((await get(ledger, '/v1/usage?by=tree')).json().rows).toMatchObject([
      { tree: 'root', sessions: 1_201 },
    ]);
  });
});

describe('sessions of a tree', () => {
  it('say their parent, their root and what they are to the parent', async () => {
    const next = { id: 'next', parent: 'fork', nanoUsd: 1, at: '2026-11-19T08:00:00.000Z' };
    const second = { ...next, id: 'second fork', at: '2026-11-18T08:00:00.000Z' };
    const ledger = await familyOf(...family, next, second);
    // A fork of the fork copies what that has copied itself.
    await post(ledger, [copyOf('root', 'fork', 1), copyOf('root', 'second fork', 2)]);
    await ledger.subscription.catchUp();
    const { rows } = (await get(ledger, '/v1/sessions')).json();
    const links = rows.map((row: Record<string, unknown>) => [
      row.id,
      row.parentSessionId,
      row.rootSessionId,
      row.relation,
      row.agentName,
    ]);
    expect(links).toEqual([
      ['sub of sub', 'sub', 'root', 'subagent', null],
      ['sub', 'fork', 'root', 'subagent', 'Explore'],
      ['fork', 'root', 'root', 'fork', null],
      ['root', null, 'root', null, null],
      ['other', null, 'other', null, null],
      ['next', 'fork', 'root', null, null],
      ['second fork', 'fork', 'root', 'fork', null],
    ]);
  });

  it.each(['root', 'fork', 'sub of sub'])('are all found by any of them: %s', async (id) => {
    const { rows } = (
      await get(await familyOf(...family), `/v1/sessions?tree=${encodeURIComponent(id)}`)
    ).json();
    expect(rows.map((row: { id: string }) => row.id)).toEqual([
      'sub of sub',
      'sub',
      'fork',
      'root',
    ]);
  });

  it('are paged and narrowed as any list', async () => {
    const ledger = await familyOf(...family);
    const first = (await get(ledger, '/v1/sessions?tree=root&limit=3')).json();
    const second = (
      await get(ledger, `/v1/sessions?tree=root&limit=3&cursor=${encodeURIComponent(first.next)}`)
    ).json();
    expect([...first.rows, ...second.rows].map((row: { id: string }) => row.id)).toEqual([
      'sub of sub',
      'sub',
      'fork',
      'root',
    ]);
    expect((await get(ledger, '/v1/sessions?tree=root&user=bob')).json().rows).toMatchObject([
      { id: 'sub' },
    ]);
    expect((await get(ledger, '/v1/sessions?tree=nobody')).json().rows).toEqual([]);
  });

  it('are told one by one as well', async () => {
    const ledger = await familyOf(...family);
    expect((await get(ledger, '/v1/sessions/sub')).json()).toMatchObject({
      parentSessionId: 'fork',
      rootSessionId: 'root',
      relation: 'subagent',
    });
  });
});
