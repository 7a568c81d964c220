import { describe, expect, it } from 'vitest';
import { noClaims } from '../../../collector/reconcile/claim-book.ts';
import { noFigures, noSums } from '../../../collector/reconcile/figures.ts';
import type { FileFacts } from '../../../collector/reconcile/files/file-facts.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import { judgeRecords } from '../../../collector/reconcile/judge-records.ts';
import type { LogFacts } from '../../../collector/reconcile/log-facts.ts';
import { emptyLog } from './support/empty-log.ts';

/** Two sides that differ in sessions of this many records; counts each record read. */
function sidesWith(units: number, ids: readonly string[] = ['s']) {
  let asked = 0;
  const sums = (fingerprint: bigint) => ({ ...noSums(), units, fingerprint });
  const file = {
    sessionId: 's',
    files: [],
    sums: sums(1n),
    everything: noFigures(),
    copies: new Map(),
    firstMs: 0,
    lastMs: 0,
    unreadableLines: 0,
    sealedUnits: 0,
    unreadableIds: new Set<string>(),
    unitsAhead: 0,
    privateUnits: 0,
    lowerBounds: 0,
    unsaidSummaries: 0,
    mayBePrivate: 0,
    otherAgentsUnits: 0,
  };
  const logged = { sessionId: 's', sums: sums(2n), book: noClaims(), imported: true, firstMs: 0 };
  const files: FileFacts = {
    sessions: new Map(ids.map((id) => [id, { ...file, sessionId: id }])),
    children: [],
    claims: [],
    ties: [],
    results: [],
    sameAnswers: new Map(),
    sealed: new Map(),
    sealedRepeaters: new Map(),
    problems: [],
    streams: [],
    bytes: 0,
    isPrivate: () => false,
    isNamedInPrivate: () => false,
    ownerOf: () => null,
    answererOf: () => null,
    *unitsOf() {
      asked += 1;
      yield* [];
    },
  };
  const log: LogFacts = {
    ...emptyLog,
    sessions: new Map(ids.map((id) => [id, { ...logged, sessionId: id }])),
    async *unitsOf() {
      asked += 1;
      yield* [];
    },
  };
  return { files, log, asked: () => asked };
}

describe('records that differ', () => {
  it('are one fault when too many to be held one by one, and not read again', async () => {
    const { files, log, asked } = sidesWith(250_001);
    const findings = createFindings();
    await judgeRecords(files, log, findings);
    expect(findings.of('s')).toEqual([
      { reason: 'too_many_differences', explained: false, count: 500_002 },
    ]);
    expect(asked()).toBe(0);
  });

  it('are too many together, too: those that still fit are looked at', async () => {
    const { files, log, asked } = sidesWith(150_000, ['s', 't']);
    const findings = createFindings();
    await judgeRecords(files, log, findings);
    expect([findings.of('s'), findings.of('t')]).toEqual([
      [],
      [{ reason: 'too_many_differences', explained: false, count: 300_000 }],
    ]);
    expect(asked()).toBe(2);
  });

  it('are no fault, however many, where the session has no file', async () => {
    const { files, log, asked } = sidesWith(500_001);
    const findings = createFindings();
    await judgeRecords({ ...files, sessions: new Map() }, log, findings);
    expect(findings.of('s')).toEqual([{ reason: 'file_gone', explained: true, count: 500_001 }]);
    expect(asked()).toBe(0);
  });

  it('are looked at one by one when they are as many as can be held', async () => {
    const { files, log, asked } = sidesWith(250_000);
    await judgeRecords(files, log, createFindings());
    expect(asked()).toBe(2);
  });
});
