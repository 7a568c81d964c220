/**
 * Records that one side alone has, for a reason: printed by a host, taken back by an administrator,
 * remembered as private, requested by a package, or without a known cost.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AskCollector } from '../../../collector/reconcile/ask.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { compared, explained, fault, told } from './support/compared.ts';
import {
  aLedger,
  anEvent,
  at,
  event,
  header,
  type Ledger,
  line,
  writeFile,
} from './support/two-sides.ts';

type Json = Record<string, unknown>;

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'sides-'));
});

const one = { id: 'a1', second: 1 };
const two = { id: 'a2', second: 2, input: 20 };

describe('answers that a host printed', () => {
  const printed = (second: number) => ({
    type: 'message_end',
    message: { role: 'assistant', usage: { input: second }, timestamp: Date.parse(at(second)) },
  });
  const stream = (name: string, ...seconds: readonly number[]) =>
    writeFile(root, name, [header('s', 0), { type: 'agent_start' }, ...seconds.map(printed)]);
  const streamed = (subject = 's') => anEvent('pi.answer.streamed.v1', subject, 1, {});
  const started = anEvent('pi.session.started.v1', 's', 0, {});

  it.each<[what: string, events: readonly Json[], lines: readonly string[], isFault: boolean]>([
    ['the log has them', [streamed(), streamed()], ['s session_not_saved x2'], false],
    [
      'the log has one of them',
      [streamed()],
      ['s session_not_saved x1', 's not_imported x1'],
      true,
    ],
    ['the log has none', [], ['s not_imported x2'], true],
    [
      'the log has more',
      Array.from({ length: 3 }, () => streamed()),
      ['s session_not_saved x3'],
      false,
    ],
  ])('are compared by their number: %s', async (_what, events, lines, isFault) => {
    stream('stream.jsonl', 1, 2);
    stream('copy.jsonl', 1);
    expect(await told(root, aLedger({ events }))).toEqual(
      isFault ? fault(...lines) : explained(...lines),
    );
  });

  it('are told with the file that has them, if there is one', async () => {
    const ledger = aLedger({ events: [streamed('s'), streamed('gone')] });
    const file = stream('stream.jsonl', 1);
    const { sessions } = await compared(root, ledger);
    expect(sessions.map(({ sessionId, differences }) => [sessionId, differences])).toEqual([
      ['gone', [{ reason: 'session_not_saved', explained: true, count: 1 }]],
      ['s', [{ reason: 'session_not_saved', explained: true, count: 1, file }]],
    ]);
  });

  it.each<[what: string, events: readonly Json[]]>([
    ['a start', [started]],
    ['a start, after the answers', [streamed(), started]],
    ['an answer', [streamed(), event('s', one)]],
  ])('count no more where the log has %s of the session', async (_what, events) => {
    stream('stream.jsonl', 1, 2);
    const ledger = aLedger({ events });
    const { told: lines } = await told(root, ledger);
    expect(lines.filter((each) => /session_not_saved|not_imported/.test(each))).toEqual([]);
    const { totals } = await compared(root, ledger);
    expect(totals.inLog.unreportedRecords).toBe(0n);
  });

  it('count no more where the session has a file', async () => {
    stream('stream.jsonl', 1);
    writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    const ledger = aLedger({ events: [started, event('s', one)] });
    expect(await told(root, ledger)).toEqual(explained());
  });

  it('are still answers where the log has something else of the session', async () => {
    stream('stream.jsonl', 1);
    const tool = anEvent('pi.tool.completed.v1', 's', 2, { entryId: 't' });
    expect(await told(root, aLedger({ events: [streamed(), tool] }))).toEqual(
      explained('s session_not_saved x1'),
    );
  });
});

describe('a record that an administrator took back', () => {
  /** The log with these at its end, as what is left of them. */
  function without(ledger: Ledger, withdrawn: readonly Json[]): Ledger {
    const ask: AskCollector = async (path) => {
      const answer = (await ledger.ask(path)) as { rows: Json[] };
      if (!path.startsWith('/v1/log?after=0&')) return answer;
      const rows = withdrawn.map((taken, index) => ({
        position: ledger.events.length + index + 1,
        event: taken,
        withdrawn: true,
      }));
      return { ...answer, rows: [...answer.rows, ...rows] };
    };
    return { ...ledger, ask };
  }

  const both = [line(one), line(two)];

  it('is explained where it is missing', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), ...both]);
    const ledger = without(aLedger({ events: [event('s', one)] }), [event('s', two)]);
    expect(await told(root, ledger)).toEqual(explained('s withdrawn x1'));
  });

  it('is explained where all of its session are, with the file', async () => {
    const file = writeFile(root, 's.jsonl', [header('s', 0), ...both]);
    const ledger = without(aLedger(), [event('s', one), event('s', two)]);
    expect(await told(root, ledger)).toEqual(explained('s withdrawn x2'));
    const { sessions } = await compared(root, ledger);
    expect(sessions[0]?.differences[0]).toMatchObject({ file });
  });

  it('is no excuse for another version of it that differs', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), ...both]);
    const events = [event('s', one), event('s', two, {}, { outputTokens: 2 })];
    const ledger = without(aLedger({ events }), [event('s', two)]);
    expect(await told(root, ledger)).toEqual(fault('s tokens_differ x1'));
  });

  it.each<[what: string, taken: readonly Json[]]>([
    ['another entry', [event('s', { ...two, id: 'x' })]],
    ['that entry of another time', [event('s', { ...two, second: 3 })]],
    ['nothing', []],
    ['what is no record', [anEvent('pi.session.started.v1', 's', 2, { entryId: 'a2' })]],
  ])('is a fault where %s was taken back', async (_what, taken) => {
    writeFile(root, 's.jsonl', [header('s', 0), ...both]);
    const ledger = without(aLedger({ events: [event('s', one)] }), taken);
    expect((await told(root, ledger)).told).toEqual(['s missing_in_log x1']);
  });

  it.each<[what: string, taken: readonly Json[]]>([
    ['only one of its session', [event('s', one)]],
    ['as many of another session', [event('x', one), event('x', two)]],
    ['nothing', []],
  ])('is a fault where %s was taken back, and the log has none', async (_what, taken) => {
    writeFile(root, 's.jsonl', [header('s', 0), ...both]);
    expect((await told(root, without(aLedger(), taken))).told).toEqual(['s not_imported x2']);
  });
});

describe('a session that an import remembers as private', () => {
  it('is explained where it was left out, and only that', async () => {
    const file = writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    writeFile(root, 'x.jsonl', [header('x', 0), line(two)]);
    const more = { privateSessions: ['s', 'y'] };
    expect(await told(root, aLedger(), more)).toEqual(
      fault('s private_parent_gone x1', 'x not_imported x1'),
    );
    const { sessions } = await compared(root, aLedger(), more);
    expect(sessions[0]?.differences[0]).toMatchObject({ file });
  });

  it('is a fault where the log has some of it', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    const ledger = aLedger({ events: [event('s', one)] });
    expect(await told(root, ledger, { privateSessions: ['s'] })).toEqual(
      fault('s missing_in_log x1'),
    );
  });
});

describe('what counts without a known cost', () => {
  it('is named: requests by packages, less those that an entry explained later', async () => {
    const observed = (unexplained: number, explainedLater: number) =>
      anEvent('pi.requests.observed.v1', 's', 1, { unexplained, explainedLater });
    const events = [observed(3, 0), observed(0, 1), event('s', one)];
    writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    expect(await told(root, aLedger({ events }))).toEqual(explained('s package_requests x2'));
    const none = [observed(3, 0), observed(0, 3), event('s', one)];
    expect(await told(root, aLedger({ events: none }))).toEqual(explained());
  });

  it('is named: what another agent spent', async () => {
    const other = line({ id: 'codex-1', second: 1 });
    writeFile(root, 's.jsonl', [header('s', 0), other, line(two)]);
    expect(await told(root, aLedger({ events: [event('s', two)] }))).toEqual(
      explained('s other_agent x1'),
    );
  });

  it('is named: what extensions say of their calls, and summaries of nobody', async () => {
    const usage = { input: 10, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 11 };
    const entry = (id: string, more: Json) => ({ id, parentId: null, timestamp: at(1), ...more });
    writeFile(root, 's.jsonl', [
      header('s', 0),
      entry('c', { type: 'custom', data: { usage } }),
      entry('d', { type: 'compaction', fromHook: true }),
    ]);
    const { told: lines } = await told(root, aLedger());
    expect(lines).toEqual(['s lower_bound x1', 's summary_cost_unknown x1', 's not_imported x2']);
  });
});

describe('a compressed file', () => {
  const name = '2026-03-01T09-00-00-000Z_s.jsonl';

  it.each(['gz', 'zst', 'bz2', 'xz', 'zip', 'GZ'])(
    'is not read, and is a fault: .%s',
    async (type) => {
      const path = writeFile(root, `${name}.${type}`, ['packed']);
      const { overall, problems, sessions } = await compared(root, aLedger());
      expect([overall, sessions]).toEqual([
        [{ reason: 'file_left_out', explained: false, count: 1, file: path }],
        [],
      ]);
      const message = 'a compressed file is not read: unpack it to have it compared';
      expect(problems).toEqual([{ path, line: null, message, reason: 'file_left_out' }]);
    },
  );

  it('is none of a session that the log has', async () => {
    writeFile(root, `${name}.gz`, ['packed']);
    const { told: lines } = await told(root, aLedger({ events: [event('s', one)] }));
    expect(lines).toEqual(['s file_gone x1']);
    const { told: others } = await told(root, aLedger({ events: [event('x', one)] }));
    expect(others).toEqual(['x file_gone x1', 'file_left_out x1']);
  });

  it.each(['notes.gz', `${name}.txt`, `${name}.gz.bak`, 'jsonl.gz'])(
    'is nothing where it is none of a session: %s',
    async (other) => {
      writeFile(root, other, ['packed']);
      expect((await compared(root, aLedger())).problems).toEqual([]);
    },
  );
});
