/** What counts of subagents' claims, by the files alone and by the log's claims and accounts. */
import { describe, expect, it } from 'vitest';
import { type Accounted, addTo, nothingAccounted } from '../../../collector/reconcile/accounted.ts';
import { addAccount, type ClaimBook, noClaims } from '../../../collector/reconcile/claim-book.ts';
import { addUnit, noSums } from '../../../collector/reconcile/figures.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import { judgeClaims } from '../../../collector/reconcile/judge-claims.ts';
import type { LogFacts, LogSession } from '../../../collector/reconcile/log-facts.ts';
import type { Unit } from '../../../collector/reconcile/unit.ts';
import { emptyLog } from './support/empty-log.ts';
import { aClaim, aUnit } from './support/units.ts';

const covered = (over: Partial<Accounted> = {}): Accounted => ({
  ...nothingAccounted(),
  inputTokens: 100n,
  nanoUsd: 1_000n,
  ...over,
});

function bookOf(
  claims: readonly Unit[],
  accounts: readonly Accounted[] = [],
  key = 'agent:A',
): ClaimBook {
  const book = noClaims();
  book.claims.push(...claims);
  for (const accounted of accounts) addAccount(book, 'child', [key], accounted);
  return book;
}

function session(sessionId: string, units: readonly Unit[], book = noClaims()): LogSession {
  const sums = noSums();
  for (const unit of units) addUnit(sums, unit);
  return { sessionId, sums, book, imported: true, firstMs: 0 };
}

interface Case {
  readonly inFiles?: ClaimBook;
  readonly inLog: ClaimBook;
  readonly child?: LogSession | undefined;
  /** What the child accounts for. */
  readonly says?: Accounted;
  readonly differing?: readonly string[];
}

function judged({ inFiles, inLog, child, says, differing = [] }: Case) {
  const sums = new Map<string, Accounted>();
  if (says !== undefined) addTo(sums, 'parent agent:A', says);
  const sessions = [session('parent', [], inLog), ...(child === undefined ? [] : [child])];
  const log: LogFacts = {
    ...emptyLog,
    sessions: new Map(sessions.map((each) => [each.sessionId, each])),
    accountedByChild: new Map(says === undefined ? [] : [['child', sums]]),
  };
  const findings = createFindings();
  judgeClaims(
    new Map(inFiles === undefined ? [] : [['parent', inFiles]]),
    log,
    new Set(differing),
    findings,
  );
  return [...findings.sessions()].flatMap((id) =>
    findings.of(id).map(({ reason, count }) => `${id} ${reason} x${count}`),
  );
}

describe('claims of subagents', () => {
  it('that are accounted for are no difference, by files and log', () => {
    expect(
      judged({ inFiles: bookOf([aClaim()], [covered()]), inLog: bookOf([aClaim()], [covered()]) }),
    ).toEqual([]);
  });

  it('that count are explained, as many as count', () => {
    const claims = [
      aClaim(),
      aClaim({ claimKey: 'agent:B', entryId: 'e2' }),
      aClaim({ claimKey: 'response:1', entryId: 'e3' }),
    ];
    const book = bookOf(claims, [covered()]);
    expect(judged({ inFiles: book, inLog: book })).toEqual(['parent subagent_claim x2']);
  });

  it('that nobody makes are not asked about', () => {
    expect(judged({ inFiles: bookOf([aClaim()]), inLog: noClaims() })).toEqual([]);
  });

  it.each<[what: string, accounts: readonly Accounted[], told: readonly string[]]>([
    [
      'less counts in the log: it knows subagents without a file',
      [covered()],
      ['parent subagent_claim x1'],
    ],
    [
      'less counts, and a rest of it',
      [covered({ inputTokens: 50n })],
      ['parent subagent_claim x2'],
    ],
  ])('are explained where %s', (_what, accounts, told) => {
    expect(judged({ inFiles: bookOf([aClaim()]), inLog: bookOf([aClaim()], accounts) })).toEqual(
      told,
    );
  });

  const more: Partial<Unit> = {
    tokens: {
      input: 100,
      output: 10,
      cacheRead: 10,
      cacheWrite: 10,
      reasoning: 0,
      cacheWrite1h: 0,
    },
  };
  const all = covered({ outputTokens: 10n, cacheReadTokens: 10n, cacheWriteTokens: 10n });
  it.each<[what: string, accounted: Accounted]>([
    ['input', { ...all, inputTokens: 99n }],
    ['output', { ...all, outputTokens: 9n }],
    ['cache reads', { ...all, cacheReadTokens: 9n }],
    ['cache writes', { ...all, cacheWriteTokens: 9n }],
  ])('are a fault where more %s counts in the log than by the files', (_what, accounted) => {
    expect(
      judged({
        inFiles: bookOf([aClaim(more)], [all]),
        inLog: bookOf([aClaim(more)], [accounted]),
      }),
    ).toContain('parent claim_differs x1');
  });

  it('are a fault where more money counts in the log, and say both', () => {
    const accounts = [covered({ inputTokens: 50n, nanoUsd: 600n })];
    const found = judged({
      inFiles: bookOf([aClaim()], accounts),
      inLog: bookOf([aClaim()], [covered({ inputTokens: 50n, nanoUsd: 500n })]),
    });
    expect(found).toContain('parent claim_differs x1');
  });

  it('are not compared where the session is told of already, or has no file', () => {
    const inLog = bookOf([aClaim()]);
    expect(
      judged({ inFiles: bookOf([aClaim()], [covered()]), inLog, differing: ['parent'] }),
    ).toEqual(['parent subagent_claim x1']);
    expect(judged({ inLog })).toEqual(['parent subagent_claim x1']);
  });
});

describe('a subagent that accounts for more than the log has of it', () => {
  const own = aUnit({ sessionId: 'child' });
  const figures = {
    input: 100,
    output: 100,
    cacheRead: 100,
    cacheWrite: 100,
    reasoning: 0,
    cacheWrite1h: 0,
  };
  const full = session('child', [aUnit({ ...own, tokens: figures })]);
  const claims = bookOf([aClaim()], [covered()]);
  const spent: Accounted = {
    inputTokens: 100n,
    outputTokens: 100n,
    cacheReadTokens: 100n,
    cacheWriteTokens: 100n,
    reasoningTokens: 0n,
    nanoUsd: 1_000n,
  };

  it.each([
    'inputTokens',
    'outputTokens',
    'cacheReadTokens',
    'cacheWriteTokens',
    'nanoUsd',
  ] as const)('is a fault: %s', (name) => {
    const says = { ...spent, [name]: spent[name] + 1n };
    expect(judged({ inFiles: claims, inLog: claims, child: full, says: spent })).toEqual([]);
    expect(judged({ inFiles: claims, inLog: claims, child: full, says })).toEqual([
      'child claim_differs x1',
    ]);
  });

  it.each<[what: string, child: LogSession | undefined, told: readonly string[]]>([
    ['its answers', session('child', [own]), []],
    ['its tools', session('child', [{ ...own, kind: 'tool' }]), []],
    [
      'what it claims itself',
      session('child', [], bookOf([aClaim()])),
      ['child subagent_claim x1'],
    ],
    [
      'a compaction, which it tells nobody',
      session('child', [{ ...own, kind: 'compaction' }]),
      ['child claim_differs x1'],
    ],
    ['nothing', session('child', []), ['child claim_differs x1']],
    ['nothing that anybody knows of', undefined, ['child claim_differs x1']],
  ])('may account for %s, or not', (_what, child, told) => {
    expect(judged({ inFiles: claims, inLog: claims, child, says: covered() })).toEqual(told);
  });

  it('makes what counts less in the log a fault as well', () => {
    const told = judged({ inFiles: bookOf([aClaim()]), inLog: claims, says: covered() });
    expect(told).toEqual(['child claim_differs x1', 'parent claim_differs x1']);
  });

  it('is not told of again where its records differ: that is why', () => {
    const told = judged({
      inFiles: bookOf([aClaim()]),
      inLog: claims,
      says: covered(),
      differing: ['child'],
    });
    expect(told).toEqual(['parent subagent_claim x1']);
  });
});
