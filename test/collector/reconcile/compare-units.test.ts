import { describe, expect, it } from 'vitest';
import { compareUnits, type FileSideUnit } from '../../../collector/reconcile/compare-units.ts';
import type { LogUnit } from '../../../collector/reconcile/log-rows.ts';
import type { Unit } from '../../../collector/reconcile/unit.ts';
import { aClaim, aUnit, inLog, noTokens } from './support/units.ts';

const inFile = (over: Partial<Unit> = {}, inherited = false): FileSideUnit => ({
  unit: aUnit(over),
  path: '/s.jsonl',
  inherited,
});
const noAncestor = () => false;

function reasonsOf(
  files: readonly FileSideUnit[],
  logs: readonly LogUnit[],
  isAncestor: Parameters<typeof compareUnits>[2] = noAncestor,
) {
  const { differences, extra } = compareUnits(files, logs, isAncestor);
  return {
    told: differences.map(({ sessionId, difference }) => `${sessionId} ${difference.reason}`),
    extra: extra.map(({ eventId }) => eventId),
  };
}

describe('records of a file and of the log', () => {
  it('that say the same are no difference', () => {
    expect(compareUnits([inFile()], [inLog()], noAncestor)).toEqual({ differences: [], extra: [] });
  });

  it.each([
    ['kind_differs', { kind: 'turn' }, { kind: 'tool' }, 'turn', 'tool'],
    ['model_differs', { provider: null }, { model: null }, '?/m', 'p/?'],
    ['time_differs', { timeMs: 0 }, { timeMs: Number.NaN }, '1970-01-01T00:00:00.000Z', 'no time'],
    [
      'tokens_differ',
      {
        tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5, cacheWrite1h: 6 },
      },
      { tokens: noTokens },
      '1 in, 2 out, 3 read, 4 written (5 reasoning, 6 for 1 h)',
      '0 in, 0 out, 0 read, 0 written (0 reasoning, 0 for 1 h)',
    ],
    ['reported_differs', { reported: false }, {}, 'not reported', 'reported'],
    ['price_source_differs', { priceSource: 'provider' }, {}, 'provider', 'catalog'],
    ['cost_differs', { nanoUsd: null }, {}, 'none', '1000 nano-dollars'],
  ] as const)(
    'that differ have a fault with both figures: %s',
    (reason, file, log, inFiles, logSays) => {
      const { differences, extra } = compareUnits([inFile(file)], [inLog(log)], noAncestor);
      expect(differences).toMatchObject([
        {
          sessionId: 's',
          difference: { reason, explained: false, count: 1, inFiles, inLog: logSays },
        },
      ]);
      expect(extra).toEqual([]);
    },
  );

  it('are named by kind, entry, time, file and place in the log', () => {
    const { differences } = compareUnits([inFile()], [inLog({ nanoUsd: 1 })], noAncestor);
    const where = {
      kind: 'turn',
      entryId: 'e1',
      at: '2026-03-01T09:00:00.000Z',
      file: '/s.jsonl',
      position: 7,
      eventId: 'id-7',
    };
    expect(differences[0]?.difference).toMatchObject(where);
  });

  it.each([
    [
      'there is none on one side',
      { priceSource: 'unpriced', nanoUsd: null },
      {},
      ['s price_source_differs'],
    ],
    [
      '... or on the other',
      {},
      { priceSource: 'unpriced', nanoUsd: null },
      ['s price_source_differs'],
    ],
    [
      'both have another',
      { priceSource: 'provider', nanoUsd: 5 },
      {},
      ['s price_source_differs', 's cost_differs'],
    ],
  ] as const)('whose prices differ in source say so once when %s', (_when, file, log, told) => {
    expect(reasonsOf([inFile(file)], [inLog(log)]).told).toEqual(told);
  });

  it('are not compared by model where they are claims: nobody says whom a subagent asked', () => {
    expect(
      reasonsOf([{ ...inFile(), unit: aClaim() }], [inLog(aClaim({ provider: 'p' }))]).told,
    ).toEqual([]);
  });

  it.each([
    ['under their session', {}, ['s tokens_differ']],
    ['under another one', { sessionId: 'other' }, ['s session_differs', 's tokens_differ']],
  ])('meet by their entry when their usage was changed: %s', (_where, log, told) => {
    const changed = inLog({ identity: 'i2', tokens: noTokens, ...log });
    const others = [
      inFile({ entryId: 'e2', identity: 'i3' }),
      inLog({ entryId: 'e2', identity: 'i3' }),
    ] as const;
    expect(reasonsOf([inFile(), others[0]], [changed, others[1]])).toEqual({ told, extra: [] });
  });

  it('meet in their own session before they meet in another one', () => {
    const files = [inFile(), inFile({ sessionId: 'other', identity: 'i2' })];
    const logs = [inLog({ sessionId: 'other', identity: 'i4' }), inLog({ identity: 'i3' })];
    expect(reasonsOf(files, logs)).toEqual({ told: [], extra: [] });
  });

  it('meet as claims by their key: two subagents of one tool result are two', () => {
    const claims = ['agent:A', 'agent:B'].map((claimKey) =>
      aClaim({ claimKey, identity: claimKey }),
    );
    const changed = claims
      .toReversed()
      .map((claim) => inLog({ ...claim, identity: `${claim.identity} changed` }));
    const files = claims.map((unit) => ({ ...inFile(), unit }));
    expect(reasonsOf(files, changed)).toEqual({ told: [], extra: [] });
    const elsewhere = changed.map((log) => ({ ...log, unit: { ...log.unit, sessionId: 'other' } }));
    expect(reasonsOf(files, elsewhere)).toEqual({
      told: ['s session_differs', 's session_differs'],
      extra: [],
    });
  });

  it.each([
    [
      'is the one under another session',
      [inLog({ sessionId: 'other' }, { position: 1 }), inLog({}, { position: 2 })],
      'other',
      1,
    ],
    [
      '... wherever it stands',
      [inLog({}, { position: 1 }), inLog({ sessionId: 'other' }, { position: 2 })],
      'other',
      2,
    ],
    [
      'is the later one',
      [inLog({}, { position: 1 }), inLog({}, { position: 2, eventId: 'id-8' })],
      's',
      2,
    ],
  ])(
    'stand in the log twice where the file has one: the double %s',
    (_which, logs, sessionId, position) => {
      const { differences, extra } = compareUnits([inFile()], logs, noAncestor);
      const { eventId } = logs.find((log) => log.position === position) ?? {};
      const double = {
        reason: 'twice_in_log',
        explained: false,
        count: 1,
        kind: 'turn',
        entryId: 'e1',
        position,
        eventId,
      };
      expect(differences).toMatchObject([{ sessionId, difference: double }]);
      expect(extra).toEqual([]);
    },
  );

  it('are missing one by one where the file has two alike', () => {
    expect(reasonsOf([inFile(), inFile()], [inLog()])).toEqual({
      told: ['s missing_in_log'],
      extra: [],
    });
  });

  it('are missing with their file, and extra with their event', () => {
    const { differences, extra } = compareUnits(
      [inFile()],
      [inLog({ entryId: 'e9', identity: 'i9' })],
      noAncestor,
    );
    const missing = {
      reason: 'missing_in_log',
      explained: false,
      count: 1,
      kind: 'turn',
      entryId: 'e1',
      at: '2026-03-01T09:00:00.000Z',
    };
    expect(differences).toEqual([{ sessionId: 's', difference: { ...missing, file: '/s.jsonl' } }]);
    expect(extra.map(({ eventId }) => eventId)).toEqual(['id-7']);
  });

  it.each([
    [
      'a copy that lost its price',
      { priceSource: 'unpriced', nanoUsd: null },
      true,
      's owner_unknown',
    ],
    ['a copy with its price', {}, true, 's missing_in_log'],
    [
      'a copy that reported nothing',
      { priceSource: 'unpriced', nanoUsd: null, reported: false },
      true,
      's missing_in_log',
    ],
    [
      'a record of its own without a price',
      { priceSource: 'unpriced', nanoUsd: null },
      false,
      's missing_in_log',
    ],
  ] as const)('are a fault when they are missing: %s', (_what, over, inherited, told) => {
    expect(reasonsOf([inFile(over, inherited)], []).told).toEqual([told]);
  });

  it.each([
    ['copied, and under the ancestor that is named', true, 'above', ['s owner_assumed']],
    ['copied, and under somebody else', true, 'stranger', ['s session_differs']],
    ['not copied, and under the ancestor that is named', false, 'above', ['s session_differs']],
  ])('are under another session: %s', (_how, inherited, sessionId, told) => {
    const isAncestor = (session: string, candidate: string) =>
      session === 's' && candidate === 'above';
    expect(reasonsOf([inFile({}, inherited)], [inLog({ sessionId })], isAncestor).told).toEqual(
      told,
    );
    const { differences } = compareUnits(
      [inFile({}, inherited)],
      [inLog({ sessionId })],
      isAncestor,
    );
    expect(differences[0]?.difference).toMatchObject({
      otherSessionId: sessionId,
      position: 7,
      file: '/s.jsonl',
      entryId: 'e1',
    });
  });
});
