/**
 * Event streams of hosts among the session files: what only they tell of is counted as not
 * reported, whatever came first, and no longer once anything else is known of the session.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { exampleEvent } from '../../support/events.ts';
import { commandLine, explanationsIn, faultsIn } from '../support/command-line.ts';
import { answer, header, sessionFileName } from '../support/left-out.ts';

const directory = temporaryDirectory();
const sessionId = '01a21f74-cd7a-7789-a1c4-fc6894b47519';
const data = new URL('../../importers/data/packages/', import.meta.url);
const printed = readFileSync(new URL('pi-messenger-worker.jsonl', data), 'utf8');
const lines = printed.trimEnd().split('\n');
const firstAnswer = lines.findIndex((line) => /"message_end".*"role":"assistant"/.test(line));

const session = { [sessionFileName]: [header(), answer('a1', 1)] };
const stream = { 'artifacts/worker.jsonl': lines };
const copy = { 'artifacts/worker copy.jsonl': lines };
const begun = { 'artifacts/worker.jsonl': lines.slice(0, firstAnswer + 1) };
const saved = {
  [`2026-11-28T00-01-18-202Z_${sessionId}.jsonl`]: [
    header({ id: sessionId, timestamp: '2026-11-28T00:01:18.202Z' }),
    answer('w1', 2),
  ],
};
const live = exampleEvent({
  number: 1,
  type: 'pi.turn.completed.v1',
  time: '2026-11-28T00:01:18.700Z',
  subject: sessionId,
  source: '/producers/p1',
});

type Files = Readonly<Record<string, readonly string[]>>;
/** Files that arrive and are imported, or what a host recorded. */
type Step = Files | typeof live;

function ledgerBeside() {
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  const ledger = commandLine(directory, {}, undefined, new Date('2026-11-29T12:00:00Z'));
  const write = (files: Files) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(sessions, name)), { recursive: true });
      writeFileSync(join(sessions, name), `${content.join('\n')}\n`);
    }
  };
  const take = async (step: Step) => {
    if (!('specversion' in step)) {
      write(step as Files);
      return ledger.run('import', '--pi', sessions);
    }
    const file = join(directory, 'live.ndjson');
    writeFileSync(file, `${JSON.stringify(step)}\n`);
    return ledger.run('import-events', file);
  };
  const compare = async () => {
    const { code, answer: found } = await ledger.reconcile('--pi', sessions);
    return { code, explanations: explanationsIn(found), faults: faultsIn(found) };
  };
  return { sessions, ledger, write, take, compare };
}

async function told(...steps: readonly Step[]) {
  const { ledger, take, compare } = ledgerBeside();
  const codes: number[] = [];
  for (const step of steps) codes.push((await take(step)).code);
  const { total } = JSON.parse((await ledger.run('report', '--json')).printed);
  const { records, unreportedRecords, streamedAnswers } = total;
  const counts = { records, unreportedRecords, streamedAnswers };
  return { codes: [...new Set(codes)], ...counts, ...(await compare()) };
}

const right = { codes: [0], code: 0, faults: [] };

describe('answers that only an event stream tells of', () => {
  it.each<[string, readonly Step[]]>([
    ['alone', [stream]],
    ['beside another session', [{ ...session, ...stream }]],
    ['in a stream that is imported again', [stream, session]],
    ['in a stream that has grown', [begun, stream]],
    ['in one stream under two names', [{ ...stream, ...copy }]],
    ['in one stream that is copied later', [stream, copy]],
    ['in a copy of what the stream was then', [copy, begun]],
  ])('count once, as not reported: %s', async (_, steps) => {
    const others = steps.some((step) => sessionFileName in step) ? 1 : 0;
    expect(await told(...steps)).toEqual({
      ...right,
      records: 2 + others,
      unreportedRecords: 2,
      streamedAnswers: 2,
      explanations: ['session_not_saved'],
    });
  });

  it.each<[string, readonly Step[], number]>([
    ['file, together', [{ ...saved, ...stream }], 1],
    ['file, before', [saved, stream], 1],
    ['file, later', [stream, saved], 1],
    ['live record, before', [live, stream], 1],
    ['live record, later', [stream, live], 1],
  ])('count no more where the session has a %s', async (_, steps, records) => {
    const counts = { records, unreportedRecords: 0, streamedAnswers: 0 };
    expect(await told(...steps)).toMatchObject({ ...right, ...counts });
  });

  it('are named by import, report, sessions and reconcile, and belong to a project', async () => {
    const { ledger, take, sessions } = ledgerBeside();
    const { complained } = await take(stream);
    expect(complained).toContain(`the event stream of session ${sessionId}, which has no file`);
    expect(complained).toContain('its 2 answers count as not reported');
    const known = '2 answers known only from event streams: in no tokens and no amount';
    const report = (await ledger.run('report')).printed;
    expect(report).toContain(known);
    expect(report).toContain('webshop');
    expect(report).not.toContain('attempt');
    const listed = (await ledger.run('sessions')).printed;
    expect(listed).toContain(sessionId);
    expect(listed).toContain(known);
    const compared = (await ledger.run('reconcile', '--pi', sessions)).printed;
    expect(compared).toContain('session_not_saved x2');
    expect(compared).toContain('Not known: what 2 answers in event streams alone cost.');
  });

  it('stay when the stream is deleted, and are the same after a rebuild', async () => {
    const { ledger, take, sessions, compare } = ledgerBeside();
    await take(stream);
    rmSync(join(sessions, 'artifacts'), { recursive: true });
    await ledger.run('rebuild', 'sessions');
    const { total } = JSON.parse((await ledger.run('report', '--json')).printed);
    expect(total).toMatchObject({ records: 2, unreportedRecords: 2 });
    expect(await compare()).toMatchObject({ code: 0, explanations: ['session_not_saved'] });
  });

  it('are a fault while they are not imported', async () => {
    const { write, take, compare } = ledgerBeside();
    await take(begun);
    write(stream);
    expect(await compare()).toEqual({
      code: 1,
      explanations: ['session_not_saved'],
      faults: ['not_imported'],
    });
  });

  it('are private as a subagent is, by the place of the stream', async () => {
    const paused = { customType: 'pi-ledger.recording', data: { state: 'paused' } };
    const mark = {
      type: 'custom',
      id: 'm1',
      parentId: null,
      timestamp: '2026-11-28T00:01:00.000Z',
      ...paused,
    };
    const parent = '2026-11-28T00-00-00-000Z_01a21f74-0000-7789-a1c4-fc6894b47519';
    const files = {
      [`${parent}.jsonl`]: [
        header({ id: parent.split('_')[1], timestamp: '2026-11-28T00:00:00.000Z' }),
        JSON.stringify(mark),
      ],
      [`${parent}/worker.jsonl`]: lines,
    };
    const counts = { records: 0, unreportedRecords: 0 };
    expect(await told(files)).toMatchObject({ ...right, ...counts });
  });
});
