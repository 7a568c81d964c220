import { describe, expect, it } from 'vitest';
import { readHeader } from '../../../core/record/entry.ts';
import type { Parentage } from '../../../extension/attribution/parentage.ts';
import type { LedgerView } from '../../../extension/command/ledger-view.ts';
import { names } from '../../../extension/command/names.ts';
import { answer as answerOf } from '../../../extension/command/subcommands.ts';
import { newSessionState } from '../../../extension/live/session-state.ts';
import {
  answer,
  append,
  contextOf,
  type FakeSession,
  fork,
  newSession,
  toolResult,
  userSays,
} from '../support/fake-session.ts';
import { attribution } from '../support/ledger-machine.ts';

const parentage: Parentage = { parent: null, parentSessionId: null, kind: 'none' };

function view(overrides: Partial<LedgerView['producer']> = {}, withSession = true): LedgerView {
  const state = (id: string, project: string, input: number) => {
    const session = newSessionState({
      id,
      header: null,
      file: null,
      agentName: null,
      parentage,
      openedMonotonicMs: 0,
    });
    session.attribution = { ...attribution, project: { ...attribution.project, name: project } };
    session.totals.spent.metered.records = 2;
    session.totals.inputTokens = input;
    session.totals.outputTokens = 50;
    session.totals.cacheReadTokens = 700;
    session.totals.spent.metered.nanoUsd = 12_345_678_900n;
    return session;
  };
  const sessions = [state('a', 'shop', 1_234_567), state('b', 'shop', 1), state('c', 'other', 99)];
  const producer = {
    config: {
      home: '/h',
      spoolDirectory: '/h/spool',
      url: 'http://127.0.0.1:7717',
      isUrlNamed: false,
      token: null,
      flushOnExitMs: 0,
      flushIntervalMs: 0,
      spoolBytesMax: 268_435_456,
    },
    recorder: { handle: () => undefined, sessions: () => sessions },
    spool: {
      bytes: () => 2_048,
      drops: () => ({ spoolFull: 0, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 }),
    },
    shipper: {
      state: () => ({
        state: 'idle',
        pendingBytes: 100,
        lastAckAtMs: 50_000,
        lastError: null,
        rejectedEvents: 0,
      }),
    },
    ...overrides,
  } as unknown as LedgerView['producer'];
  return {
    producer,
    session: withSession ? (sessions[0] ?? null) : null,
    ctx: null,
    nowMs: 62_000,
    asked: { is: 'none', why: 'no collector answers (ECONNREFUSED)' },
    opened: null,
  };
}

describe('/ledger', () => {
  it('shows session, project and spool', () => {
    expect(answerOf('', view()).split('\n')).toEqual([
      'Session: 2 records · 1,234,567 in, 50 out, 700 cached · $12.3457',
      'Project shop, in this process: 4 records · 1,234,568 in, 100 out, 1,400 cached · $24.6914',
      'Today, this month, subagents and budgets: not known: no collector answers (ECONNREFUSED)',
      'Context: nothing recorded yet',
      'Spool: 1 KiB pending from this process, 2 KiB in total (limit 262,144 KiB)',
      'Collector http://127.0.0.1:7717: idle, last sent 12 s ago',
      expect.stringMatching(/^pi-ledger \d.*, spool in \/h\/spool$/),
    ]);
  });

  it('says nothing of the spool while all is sent, or was a moment ago', () => {
    const sent = (more: object) =>
      answerOf(
        '',
        view({
          shipper: {
            state: () => ({
              state: 'idle',
              pendingBytes: 0,
              lastAckAtMs: 50_000,
              lastError: null,
              rejectedEvents: 0,
              ...more,
            }),
          },
        } as unknown as Partial<LedgerView['producer']>),
      );
    const calm = sent({});
    expect(calm.split('\n').length).toBeLessThanOrEqual(8);
    expect(calm).not.toMatch(/Spool|Collector/);
    expect(sent({ pendingBytes: 9, lastAckAtMs: 61_000 })).toBe(calm);
    for (const more of [
      { pendingBytes: 9 },
      { pendingBytes: 9, lastAckAtMs: null },
      { state: 'waiting' },
      { lastError: 'refused' },
      { rejectedEvents: 1 },
    ])
      expect(sent(more)).toContain('Spool: ');
  });

  it('shows one of them when asked, and what there is to ask for', () => {
    expect(answerOf(' project ', view())).toMatch(/^Project shop, in this process: [^\n]*$/);
    const help = answerOf('toString', view());
    for (const name of Object.keys(names)) expect(help).toContain(`/ledger ${name}`);
  });

  it('never adds list-price equivalents to a bill, nor shows an unknown price as $0', () => {
    const asked = view();
    const spent = asked.session?.totals.spent;
    if (spent === undefined) throw new Error('no session');
    Object.assign(spent.subscription, { records: 1, nanoUsd: 1_000_000_000n });
    Object.assign(spent.unknown, { records: 2, nanoUsd: 40n, unreportedRecords: 1 });
    expect(answerOf('session', asked)).toContain(
      '$12.3457 + $1.0000 at list price (subscription) + <$0.0001 (billing unknown) · ' +
        '1 attempt whose cost is unknown',
    );
    Object.assign(spent.metered, { nanoUsd: 0n, unpricedRecords: 2 });
    Object.assign(spent.subscription, { records: 0, nanoUsd: 0n });
    Object.assign(spent.unknown, { records: 0, nanoUsd: 0n, unreportedRecords: 0 });
    expect(answerOf('session', asked)).toContain(' · n/a · 2 unpriced');
  });

  it('says that an amount is the least, where records without a price are left out', () => {
    const asked = view();
    Object.assign(asked.session?.totals.spent.metered ?? {}, { unpricedRecords: 1 });
    expect(answerOf('session', asked)).toMatch(/ · ≥ \$12\.3457 · 1 unpriced$/);
  });

  it('tells of drops, rejections and errors', () => {
    const troubled = view({
      spool: {
        bytes: () => 0,
        drops: () => ({ spoolFull: 3, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 1 }),
      },
      shipper: {
        state: () => ({
          state: 'waiting',
          pendingBytes: 0,
          lastAckAtMs: null,
          lastError: 'ECONNREFUSED',
          rejectedEvents: 4,
        }),
      },
    } as unknown as LedgerView['producer']);
    const text = answerOf('spool', troubled);
    for (const part of [
      'waiting, nothing sent yet, last error: ECONNREFUSED',
      'Rejected by the collector: 4',
      'Dropped: 3 spoolFull, 1 recordFailed',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('explains what happens to events without a collector, and what to do', () => {
    const withState = (state: string, url: string) => {
      const { producer } = view();
      const shipper = {
        state: () => ({
          state,
          pendingBytes: 9,
          lastAckAtMs: null,
          lastError: 'x',
          rejectedEvents: 0,
        }),
      };
      return answerOf(
        'spool',
        view({ config: { ...producer.config, url }, shipper } as unknown as LedgerView['producer']),
      );
    };
    for (const url of ['http://127.0.0.1:7717', 'http://localhost:1', 'http://[::1]:1'])
      expect(withState('waiting', url)).toMatch(
        /lost: .* in the spool .*; start .* with `node \/\S+\/bin\/pi-ledger\.mjs start`/,
      );
    expect(withState('waiting', 'https://ledger.example.org')).toMatch(
      /lost: .*; check that the collector runs/,
    );
    expect(withState('unauthorized', 'http://127.0.0.1:7717')).toMatch(
      /lost: .*; set a valid `token`/,
    );
    expect(withState('idle', 'http://127.0.0.1:7717')).not.toContain('lost');
  });

  it('shows all of a session, and what of it others recorded or another session owns', () => {
    const startMs = Date.UTC(2026, 0, 2);
    const original = newSession('s1', startMs);
    for (let turn = 1; turn <= 3; turn += 1) {
      append(original, `u${turn}`, startMs + turn, userSays());
      append(original, `a${turn}`, startMs + turn, answer(`r${turn}`));
      append(original, `t${turn}`, startMs + turn, toolResult('c', 'read'));
    }
    const shown = (session: FakeSession, recorded: number) => {
      const header = readHeader(session.header);
      const state = newSessionState({
        id: session.id,
        header,
        file: null,
        agentName: null,
        parentage,
        openedMonotonicMs: 0,
      });
      state.billing = { anthropic: 'metered' };
      state.totals.spent.metered.records = recorded;
      return answerOf('session', { ...view(), session: state, ctx: contextOf(session) }).split(
        '\n',
      );
    };
    expect(shown(original, 3)).toEqual(['Session: 3 records · 300 in, 21 out, 9 cached · $0.0003']);
    expect(shown(original, 0)).toEqual([
      'Session: 3 records · 300 in, 21 out, 9 cached · $0.0003',
      expect.stringMatching(
        /^ {2}this process recorded 0 of them; .* or by `node \/\S+\/pi-ledger\.mjs import`$/,
      ),
    ]);
    const forked = fork(original, 's2', startMs + 100);
    append(forked, 'u9', startMs + 200, userSays());
    append(forked, 'a9', startMs + 200, answer('r9'));
    expect(shown(forked, 1)).toEqual([
      'Session: 1 record · 100 in, 7 out, 3 cached · $0.0001',
      '  copied from another session and counted there: ' +
        '3 records · 300 in, 21 out, 9 cached · $0.0003',
    ]);
  });

  it('has an answer before anything is recorded', () => {
    expect(answerOf('', view({}, false))).toContain(
      'Session: nothing recorded yet\nProject: unknown so far',
    );
  });
});
