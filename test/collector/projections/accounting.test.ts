/**
 * The rules of docs/accounting.md that the fold decides: identity, places, attempts. For subagents,
 * see claims.test.ts.
 */
import type { LedgerEvent } from '@pi-ledger/contract';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSessions } from '../../../collector/projections/sessions.ts';
import { totals } from '../../../collector/projections/totals.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { openSqliteLog } from '../../../collector/stores/sqlite/log/log.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { attributed, event, limitsWide, spendOf, turn } from './support/given.ts';

const at = '2026-11-22T10:00:00.000Z';

describe('identity and counting', () => {
  it('One unit of spend counts once: live, from the spool again, imported twice', async () => {
    const log = openSqliteLog({ path: ':memory:' });
    const live = turn(at, { costNanoUsd: 7 });
    const imported: LedgerEvent[] = ['/importers/pi', '/importers/omp'].map((source) => {
      const { sequence, ...rest } = live;
      return { ...rest, source } as LedgerEvent;
    });
    for (const events of [[live], [live, ...imported], imported])
      await log.append({ receivedAtMs: 0, events, deadLetters: [] });
    const kept = (await log.read(0, 100)).map((stored) => stored.event);
    await log.close();
    expect(fold(sessions, kept).rows(usage, 'session')).toMatchObject({
      s1: { records: 1n, nanoUsd: 7n },
    });
  });

  it('turn_end and message_end say the same numbers: other entries count none', () => {
    const given = [
      turn(at, { costNanoUsd: 7 }),
      event('pi.message.appended.v1', { at }),
      event('pi.context.sampled.v1', { at }),
      event('pi.run.completed.v1', { at }),
      event('pi.tool.timed.v1', { at }),
      event('pi.turn.timed.v1', { at }),
      event('pi.response.received.v1', { at }),
      event('pi.retry.scheduled.v1', { at }),
      event('pi.retry.ended.v1', { at }),
      event('pi.input.received.v1', { at }),
      event('pi.human.waited.v1', { at }),
      event('pi.compaction.timed.v1', { at }),
      event('pi.session.copied.v1', { at }),
    ];
    expect(fold(sessions, given).rows(usage, 'session')).toMatchObject({
      s1: { records: 1n, nanoUsd: 7n },
    });
  });

  it('Each of the five usage places of HOSTS.md is recorded with its kind', () => {
    const spend = spendOf({ costNanoUsd: 1 });
    const given = [
      turn(at, spend),
      event('pi.tool.completed.v1', { at }, { spend }),
      event('pi.compaction.completed.v1', { at }, { spend }),
      event('pi.branch.summarized.v1', { at }, { spend }),
      ...['cache_warm', 'side_call', 'never_heard_of'].map((kind) =>
        event('pi.usage.recorded.v1', { at }, { kind, spend }),
      ),
    ];
    expect(fold(sessions, given).sums(usage, 'nanoUsd', 'kind')).toEqual({
      branch_summary: 1n,
      cache_warm: 1n,
      compaction: 1n,
      never_heard_of: 1n,
      side_call: 1n,
      tool: 1n,
      turn: 1n,
    });
  });

  it('Tokens of failed and aborted attempts are unreported, never free', () => {
    const lost = {
      inputTokens: 0,
      costNanoUsd: null,
      costSource: 'unpriced',
      reported: false,
    } as const;
    const folded = fold(sessions, [turn(at, lost), turn(at, lost), turn(at, { costNanoUsd: 5 })]);
    expect(folded.rows(usage, 'kind').turn).toMatchObject({
      records: 3n,
      unreportedRecords: 2n,
      unpricedRecords: 0n,
      nanoUsd: 5n,
    });
    expect(folded.states.get('s1')?.counts).toMatchObject({ turns: 3, unreportedTurns: 2 });
  });

  it('An upper estimate of an unreported attempt is in no other figure', () => {
    const lost = {
      provider: 'anthropic',
      model: 'sonnet',
      inputTokens: 0,
      costNanoUsd: null,
      costSource: 'unpriced',
      reported: false,
    } as const;
    const { provider, model } = lost;
    const estimates = [
      event(
        'pi.attempt.estimated.v1',
        { at },
        { provider, model, tokensMax: 48_200, costNanoUsdMax: 180_750_000 },
      ),
      event(
        'pi.attempt.estimated.v1',
        { at },
        { provider, model, tokensMax: 100, costNanoUsdMax: null },
      ),
    ];
    const given = [turn(at, lost), turn(at, lost)];
    const [without, withThem] = [
      fold(sessions, given),
      fold(sessions, [...estimates, ...given], { isReloaded: true }),
    ];
    const dimensions = ['provider', 'model', 'kind', 'hour'];
    const { 'anthropic,sonnet,turn,2026-11-22T10': row, ...others } = withThem.rows(
      usage,
      ...dimensions,
    );
    expect(others).toEqual({});
    expect(row).toEqual({
      ...Object.values(without.rows(usage, ...dimensions))[0],
      unreportedTokensMax: 48_300n,
      unreportedNanoUsdMax: 180_750_000n,
    });
    expect(withThem.rows(totals)).toEqual(without.rows(totals));
    expect(totals.measures).not.toContain('unreportedNanoUsdMax');
    const moved = fold(sessions, [...estimates, ...given, attributed(at, { project: 'late' })]);
    expect(moved.sums(usage, 'unreportedTokensMax', 'project')).toEqual({ late: 48_300n });
  });

  it('A retry is an attempt of the same run, not a new prompt', () => {
    const promptEntryId = 'c15232cc';
    const attempt = (reported: boolean) =>
      event('pi.turn.completed.v1', { at }, { promptEntryId, spend: spendOf({ reported }) });
    const given = [
      event('pi.prompt.submitted.v1', { at }),
      attempt(false),
      attempt(false),
      attempt(true),
      event('pi.run.completed.v1', { at }),
    ];
    const folded = fold(sessions, given);
    expect(folded.states.get('s1')?.counts).toMatchObject({ prompts: 1, runs: 1, turns: 3 });
    expect(folded.rows(usage)['']).toMatchObject({ records: 3n });
  });

  it('knows where copies of entries are, the certain before the assumed', () => {
    const copied = (copySessionId: string, entries: number, ownerAssumed: boolean) =>
      event(
        'pi.session.copied.v1',
        { at },
        { copySessionId, entries, spendEntries: 1, ownerAssumed },
      );
    const given = [
      copied('fork b', 9, true),
      copied('fork a', 3, false),
      copied('fork b', 4, false),
      copied('fork a', 3, true),
    ];
    expect(fold(sessions, given.toReversed()).documents()).toEqual(
      fold(sessions, given).documents(),
    );
    for (const events of [given, given.toReversed()]) {
      const state = fold(sessions, events, { isReloaded: true }).states.get('s1');
      expect(
        [...(state?.copies.values() ?? [])].toSorted((left, right) => left.entries - right.entries),
      ).toEqual([
        { copySessionId: 'fork a', entries: 3, spendEntries: 1, ownerAssumed: false },
        { copySessionId: 'fork b', entries: 4, spendEntries: 1, ownerAssumed: false },
      ]);
      expect(state?.counts.copies).toBe(4);
    }
  });
});

it('bounds the copies that it knows: the last of the alphabet are left out', () => {
  const small = createSessions(noRules, { ...limitsWide, copiesMax: 2 });
  const given = ['d', 'a', 'c', 'b'].map((copySessionId) =>
    event('pi.session.copied.v1', { at }, { copySessionId }),
  );
  for (const events of [given, given.toReversed()]) {
    const state = fold(small, events).states.get('s1');
    expect([...(state?.copies.keys() ?? [])].toSorted()).toEqual(['a', 'b']);
    expect(state?.counts.copies).toBe(4);
  }
});
