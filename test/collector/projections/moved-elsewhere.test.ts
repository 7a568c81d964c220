/** Moved entries in projections other than `sessions`. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { compactions } from '../../../collector/projections/compactions.ts';
import { context } from '../../../collector/projections/context.ts';
import { producers } from '../../../collector/projections/producers.ts';
import { fold } from './support/fold.ts';
import { event, spendOf, turn } from './support/given.ts';
import { moved, moves } from './support/given-moves.ts';

const at = '2026-11-22T10:00:00.000Z';

const lost = spendOf({ inputTokens: 100, costNanoUsd: null, costSource: 'unpriced' });

describe('the other projections of an entry that moves', () => {
  const compaction = event('pi.compaction.completed.v1', { at }, { entryId: 'c1' });
  const branch = event('pi.branch.summarized.v1', { at }, { entryId: 'b1' });
  const entryIds = (given: readonly LedgerEvent[], key: string) => {
    const chunk = fold(context, given, { isReloaded: true }).states.get(key);
    return chunk && [...chunk.entries, ...chunk.summaries].map(({ id }) => id);
  };

  it.each([
    ['a compaction', compaction],
    ['a branch summary', branch],
    ['an answer', event('pi.turn.completed.v1', { at }, { entryId: 'a1' })],
    ['a tool call', event('pi.tool.completed.v1', { at }, { entryId: 'o1' })],
  ])('context: its facts stand with its owner: %s', (_name, entry) => {
    const others = [
      event('pi.prompt.submitted.v1', { at }, { entryId: 'p1' }),
      event('pi.compaction.completed.v1', { at }, { entryId: 'c2' }),
    ];
    const id = 'entryId' in entry.data ? entry.data.entryId : null;
    const given = [...others, entry, ...moves(entry, 's2'), moved(entry, 'stay', 's3')];
    expect(entryIds(given, 's1/2026-11-22T10:0')).toEqual(['p1', 'c2']);
    expect(entryIds(given, 's2/2026-11-22T10:0')).toEqual([id]);
    expect(entryIds(given, 's3/2026-11-22T10:0')).toBeUndefined();
  });

  it('context: takes nothing out that only looks alike', () => {
    const [first, second] = ['e1', 'e2'].map((entryId) =>
      event('pi.prompt.submitted.v1', { at }, { entryId }),
    );
    const later = event(
      'pi.prompt.submitted.v1',
      { at: '2026-11-22T10:00:01.000Z' },
      { entryId: 'e1' },
    );
    if (first === undefined || second === undefined) throw new Error('there are two');
    expect(
      entryIds(
        [first, moved(second, 'out', 's1'), moved(later, 'out', 's1')],
        's1/2026-11-22T10:0',
      ),
    ).toEqual(['e1']);
    expect(entryIds([first, later, moved(later, 'out', 's1')], 's1/2026-11-22T10:0')).toEqual([
      'e1',
    ]);
  });

  it.each([
    ['named', 0],
    ['assumed', 0],
    ['unsure', 1],
  ] as const)(
    'context: a copy without its price says nothing that its owner does not (%s)',
    (ownership, chunks) => {
      const entry: LedgerEvent = { ...turn(at, lost), ownership };
      expect(fold(context, [entry]).states.size).toBe(chunks);
      expect(fold(context, [moved(entry, 'in', 's2', ownership)]).states.size).toBe(chunks);
    },
  );

  it('context: an entry of a kind that fills no context has no place anywhere', () => {
    const entry = event('pi.subagent.claimed.v1', { at });
    expect(fold(context, moves(entry, 's2')).states.size).toBe(0);
  });

  it.each([compaction, branch])('compactions: its row is of its owner', (entry) => {
    const [row, ...others] = fold(compactions, [entry, ...moves(entry, 's2')], {
      isReloaded: true,
    }).states.values();
    expect(row).toMatchObject({
      id: entry.id,
      session: 's2',
      entryId: 'entryId' in entry.data ? entry.data.entryId : '',
    });
    expect(others).toEqual([]);
    expect(fold(compactions, [entry, moved(entry, 'stay', 's3')]).documents()).toEqual(
      fold(compactions, [entry]).documents(),
    );
    expect(fold(compactions, moves(turn(at), 's2')).documents()).toEqual({});
  });

  it('producers: nobody reported it', () => {
    expect(fold(producers, moves(turn(at), 's2')).documents()).toEqual({});
  });
});
