/** Summary texts: only if the user enables them, only without secrets, never on the host's path. */
import { describe, expect, it } from 'vitest';
import { type Contents, createContents } from '../../../core/content/contents.ts';
import type { Redact } from '../../../core/content/redactor.ts';
import type { EventDraft } from '../../../core/record/draft.ts';
import { append, contextOf, newSession, userSays } from '../support/fake-session.ts';
import { newMachine, startProcess } from '../support/ledger-machine.ts';
import { problemsOf } from '../support/schemas.ts';

const redact: Redact = (text) => ({
  text: text.replaceAll('hunter2', '[redacted]'),
  truncated: false,
  redactions: 1,
});
const summary = (text: string) => ({
  type: 'compaction',
  summary: text,
  firstKeptEntryId: 'e1',
  tokensBefore: 900,
});
const settled = () => new Promise((resolve) => setImmediate(resolve));

function drive(contents: Contents | null) {
  const machine = newMachine();
  const session = newSession('s1', machine.nowMs);
  const process = startProcess(machine, { contents });
  const attachment = { sessionId: null };
  const fire = (trigger: Parameters<typeof process.recorder.handle>[0], event: object = {}) =>
    process.recorder.handle(trigger, event, contextOf(session), attachment);
  const dataOf = (type: EventDraft['type']) =>
    machine
      .events()
      .flatMap((draft) => (draft.type === type ? [draft.data as Record<string, unknown>] : []));
  fire('session_start', { reason: 'startup' });
  append(session, 'e1', machine.nowMs, userSays());
  return { machine, session, process, fire, dataOf };
}

function loaded(load: () => Promise<Redact> = async () => redact) {
  const soon: (() => void)[] = [];
  const contents = createContents({
    import: load,
    soon: (callback) => void soon.push(callback),
    notify: () => undefined,
  });
  const load_ = async () => {
    for (const callback of soon.splice(0)) callback();
    await settled();
  };
  return { contents, finish: load_ };
}

describe('the text of a summary', () => {
  it('stays here unless it is wanted', () => {
    const { machine, session, fire } = drive(null);
    fire('session_before_compact', { reason: 'manual', customInstructions: 'think of hunter2' });
    append(session, 'c1', machine.nowMs, summary('the password is hunter2'));
    append(session, 'b1', machine.nowMs, {
      type: 'branch_summary',
      fromId: 'e1',
      summary: 'hunter2 again',
    });
    fire('session_compact', { reason: 'manual', compactionEntry: { id: 'c1' } });
    fire('session_shutdown', { reason: 'quit' });
    expect(machine.events().filter(({ type }) => /compaction|branch/.test(type))).toHaveLength(3);
    expect(JSON.stringify(machine.events())).not.toMatch(
      /hunter|password|summaryText|instructionsText/,
    );
  });

  it('is sent without secrets, off the hook’s path, in the one event of its entry', async () => {
    const { contents, finish } = loaded();
    const { machine, session, process, fire, dataOf } = drive(contents);
    fire('session_before_compact', { reason: 'manual', customInstructions: 'keep hunter2' });
    await finish();
    append(session, 'c1', machine.nowMs, summary('the password is hunter2'));
    fire('session_compact', { reason: 'manual', compactionEntry: { id: 'c1' } });
    expect(dataOf('pi.compaction.completed.v1')).toEqual([]);
    expect(dataOf('pi.compaction.timed.v1')).toMatchObject([
      {
        instructionsChars: 12,
        instructionsText: { text: 'keep [redacted]', truncated: false, redactions: 1 },
      },
    ]);
    process.idle();
    append(session, 'b1', machine.nowMs, {
      type: 'branch_summary',
      fromId: 'e1',
      summary: 'hunter2 again',
    });
    fire('session_tree');
    process.idle();
    expect(dataOf('pi.compaction.completed.v1')).toMatchObject([
      {
        entryId: 'c1',
        summaryText: { text: 'the password is [redacted]', truncated: false, redactions: 1 },
      },
    ]);
    expect(dataOf('pi.branch.summarized.v1')).toMatchObject([
      { entryId: 'b1', summaryText: { text: '[redacted] again' } },
    ]);
    expect(machine.events().flatMap(problemsOf)).toEqual([]);
  });

  it('is waited for while the library loads, and the session’s mark with it', async () => {
    const { contents, finish } = loaded();
    const { machine, session, process, fire, dataOf } = drive(contents);
    append(session, 'c1', machine.nowMs, summary('hunter2'));
    fire('agent_settled');
    process.idle();
    expect([dataOf('pi.compaction.completed.v1'), machine.marks.get('s1')?.entryId]).toEqual([
      [],
      null,
    ]);
    await finish();
    process.idle();
    append(session, 'e2', machine.nowMs, userSays());
    fire('agent_settled');
    expect(dataOf('pi.compaction.completed.v1')).toMatchObject([
      { summaryText: { text: '[redacted]' } },
    ]);
    expect(machine.marks.get('s1')?.entryId).toBe('e2');
  });

  it.each([
    ['the process ends first', () => new Promise<Redact>(() => undefined)],
    ['the library is not there', () => Promise.reject(new Error('no such module'))],
    [
      'the library fails at it',
      async () => () => {
        throw new Error('odd');
      },
    ],
  ])('stays here, and its event goes without, where %s', async (_why, load) => {
    const { contents, finish } = loaded(load as () => Promise<Redact>);
    const { machine, session, process, fire, dataOf } = drive(contents);
    append(session, 'c1', machine.nowMs, summary('hunter2'));
    fire('session_compact', { compactionEntry: { id: 'c1' } });
    await finish();
    process.idle();
    fire('session_shutdown', { reason: 'quit' });
    expect(dataOf('pi.compaction.completed.v1')).toMatchObject([
      { entryId: 'c1', tokensBefore: 900 },
    ]);
    expect(JSON.stringify(machine.events())).not.toMatch(/hunter|summaryText/);
    expect(machine.marks.get('s1')?.entryId).toBe('c1');
  });

  it('counts its spend once, with the text or without', async () => {
    const { contents, finish } = loaded();
    const { machine, session, process, fire, dataOf } = drive(contents);
    const usage = {
      input: 50,
      output: 5,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 55,
      cost: { total: 0.001 },
    };
    append(session, 'c1', machine.nowMs, { ...summary('hunter2'), usage });
    fire('session_compact', { compactionEntry: { id: 'c1' } });
    await finish();
    process.idle();
    fire('session_shutdown', { reason: 'quit' });
    expect(dataOf('pi.compaction.completed.v1')).toHaveLength(1);
    expect(process.recorder.sessions()[0]?.totals).toMatchObject({
      inputTokens: 50,
      spent: { unknown: { records: 1 } },
    });
  });
});
