/**
 * Sessions of subagents as the hosts wrote them, recorded and folded: all files, and without those
 * of the children.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usage } from '../../../collector/projections/usage.ts';
import { entryMessage } from '../../../core/record/entry.ts';
import type { SubagentParent } from '../../../core/record/entry-draft.ts';
import { responseKeyOf } from '../../../core/record/subagent.ts';
import { eventsOf, type SessionFile, sessionFiles } from '../../extension/support/sessions.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';

const figures = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'nanoUsd',
] as const;

const families = ['omp18/nested-task', 'pi087/nested-subagent'].map((name) => {
  const files = sessionFiles.filter((file) => file.name.startsWith(`${name}/`));
  return {
    name,
    host: name.split('/')[0],
    files,
    own: files.flatMap((file) => recorded(file, file.parent ?? claimant(file, files))),
  };
});

/**
 * A pi child's file does not name its parent: the session that repeats its first answer, and the
 * first that does, which is the nearest.
 */
function claimant(file: SessionFile, files: readonly SessionFile[]): SubagentParent | null {
  const answer = file.entries.map(entryMessage).find(({ role }) => role === 'assistant');
  const key = answer === undefined ? null : responseKeyOf(answer);
  const repeating = files
    .filter((each) => each !== file)
    .flatMap((each) => recorded(each, null))
    .filter((each) => each.type === 'pi.subagent.claimed.v1')
    .filter(({ data }) => data.key === key && data.turnEntryId !== null)
    .toSorted((left, right) => (left.time < right.time ? -1 : 1));
  const [nearest] = repeating;
  return nearest === undefined
    ? null
    : { sessionId: nearest.subject, key: `turn:${nearest.data.turnEntryId}` };
}

function recorded({ header, entries }: SessionFile, parent: SubagentParent | null): LedgerEvent[] {
  return eventsOf(header, entries, parent).map(
    (draft) => ({ specversion: '1.0', source: '/importers/test', ...draft }) as LedgerEvent,
  );
}

/** What the sessions' own answers, tools and summaries say, each by itself. */
function ownFigures(events: readonly LedgerEvent[]): Record<string, bigint> {
  const spends = events.flatMap(({ data }) =>
    'spend' in data && data.spend !== null ? [data.spend] : [],
  );
  const sum = (of: (spend: (typeof spends)[number]) => number | null) =>
    spends.reduce((total, spend) => total + BigInt(of(spend) ?? 0), 0n);
  return {
    inputTokens: sum((spend) => spend.inputTokens),
    outputTokens: sum((spend) => spend.outputTokens),
    cacheReadTokens: sum((spend) => spend.cacheReadTokens),
    cacheWriteTokens: sum((spend) => spend.cacheWriteTokens),
    nanoUsd: sum((spend) => spend.costNanoUsd),
  };
}

function counted(events: readonly LedgerEvent[]): Record<string, bigint> {
  const row = fold(sessions, events, { isReloaded: true }).rows(usage)[''] ?? {};
  return Object.fromEntries(figures.map((name) => [name, row[name] ?? 0n]));
}

describe.each(families)('subagents that were recorded: $name', ({ host, files, own }) => {
  const [root] = files;

  it('count what their sessions’ own records say, whatever the order', () => {
    expect(files.length).toBeGreaterThan(1);
    expect(own.some(({ type }) => type === 'pi.subagent.claimed.v1')).toBe(true);
    const expected = ownFigures(own);
    const shuffled = fc.shuffledSubarray(own, { minLength: own.length, maxLength: own.length });
    fc.assert(
      fc.property(shuffled, (events) => {
        expect(counted(events)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('count by what the root’s tool results repeat of them where only its file is left', () => {
    const rootEvents = own.filter(
      ({ subject, type }) => subject === root?.header.id && type !== 'pi.subagent.accounted.v1',
    );
    const [left, all, unclaimed] = [counted(rootEvents), ownFigures(own), ownFigures(rootEvents)];
    for (const name of figures) {
      expect(left[name]).toBeGreaterThan(unclaimed[name] ?? 0n);
      expect(left[name]).toBeLessThanOrEqual(all[name] ?? 0n);
    }
    // pi's subagent tool repeats every answer, at every depth.
    if (host === 'pi087') expect(left).toEqual(all);
  });
});
