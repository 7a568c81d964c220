/** What the log tells of a subagent whose file is gone: the same as its file would, to the id. */
import { describe, expect, it } from 'vitest';
import { createRecall, type Recalled } from '../../../collector/importers/recall.ts';
import type { LedgerEvent } from '../../../contract/index.ts';
import type { EventDraft } from '../../../core/record/draft.ts';
import type { Entry } from '../../../core/record/entry.ts';
import type { SubagentParent } from '../../../core/record/entry-draft.ts';
import { advance, rootState } from '../../../core/record/path-state.ts';
import { recordEntry } from '../../../core/record/record-entry.ts';
import { answer, toolResult, usage } from '../../extension/support/fake-session.ts';

type Message = Readonly<Record<string, unknown>>;

const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const answered = (id: string): Message => answer(id, { timestamp: startMs }).message;

/** A tool that spent by itself, as the host books it on the result. */
const worked = (callId: string, tokens: number, timestamp: number): Message => ({
  ...toolResult(callId, 'search').message,
  usage: usage(tokens),
  timestamp,
});

const claiming = (...results: readonly object[]): Message =>
  toolResult('t', 'subagent', false, { results: [...results] }).message;
const sum = (tokens: number) => ({ agent: 'scout', usage: usage(tokens) });
const repeating = (messages: readonly Message[]) => ({ agent: 'worker', messages });

/** What a session of these messages records. */
function recorded(
  id: string,
  messages: readonly Message[],
  parent: SubagentParent | null = null,
): readonly EventDraft[] {
  let state = rootState;
  return messages.flatMap((message, index) => {
    const entry: Entry = {
      id: `${id}-${index}`,
      key: `${id}-${index}`,
      parentId: index === 0 ? null : `${id}-${index - 1}`,
      type: 'message',
      timestamp: new Date(startMs + index * 1_000).toISOString(),
      body: { message },
    };
    const drafts = recordEntry({ id, cwd: null, parent }, entry, state);
    state = advance(state, entry);
    return drafts;
  });
}

function recalled(wanted: readonly Recalled[], log: readonly EventDraft[]) {
  const recall = createRecall(wanted);
  return [...log.flatMap((event) => recall.take(event as LedgerEvent)), ...recall.end()];
}

const parentOf = (sessionId: string): SubagentParent => ({ sessionId, key: `turn:${sessionId}-0` });
const wantedOf = (sessionId: string, parent: string): Recalled => ({
  sessionId,
  parent: parentOf(parent),
  attributedLaterMs: null,
});
const accounts = (drafts: readonly EventDraft[]) =>
  drafts
    .filter(({ type }) => type === 'pi.subagent.accounted.v1')
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

const child = [
  answered('c1'),
  worked('t1', 50, startMs + 1),
  claiming(sum(40), sum(40), sum(40)),
  worked('t2', 50, startMs + 2),
  answered('c2'),
];
const [first = {}, tool = {}, ...others] = child;

describe('a recalled subagent', () => {
  it.each([
    ['in order', [answered('p1'), claiming(repeating(child))]],
    ['its tool first', [answered('p1'), claiming(repeating([tool, first, ...others]))]],
    ['after equal sums', [answered('p1'), claiming(sum(50), sum(50), repeating(child))]],
  ])('accounts for answers, equal sums and tools to a parent that repeats it %s', (_, parent) => {
    const log = [...recorded('child', child), ...recorded('parent', parent)];
    const told = recalled([wantedOf('child', 'parent')], log);
    expect(accounts(told)).toEqual(accounts(recorded('child', child, parentOf('parent'))));
    expect(told).toHaveLength(7);
  });

  it('accounts for its tools’ spend by its own parent’s claim of it, not another’s', () => {
    const spent = (name: string, ms: number) => [answered(name), worked('t', 50, startMs + ms)];
    const [one, two] = [spent('o', 1), spent('w', 2)];
    const repeated = (messages: readonly Message[]) => [
      answered('p'),
      claiming(repeating(messages)),
    ];
    const log = [
      ...recorded('one', one),
      ...recorded('two', two),
      ...recorded('stranger', repeated(spent('s', 3))),
      ...recorded('parent-of-two', repeated(two)),
      ...recorded('parent-of-one', repeated(one)),
    ];
    const wanted = [wantedOf('one', 'parent-of-one'), wantedOf('two', 'parent-of-two')];
    expect(accounts(recalled(wanted, log))).toEqual(
      accounts([
        ...recorded('one', one, parentOf('parent-of-one')),
        ...recorded('two', two, parentOf('parent-of-two')),
      ]),
    );
  });

  it('tells nothing of a tool’s spend that its parent does not claim', () => {
    const parent = [answered('p1'), claiming(repeating([first]))];
    const log = [...recorded('child', [first, tool]), ...recorded('parent', parent)];
    expect(recalled([wantedOf('child', 'parent')], log)).toEqual(
      accounts(recorded('child', [first], parentOf('parent'))),
    );
  });

  it('accounts for answers that were moved away from it: its file had them once', () => {
    const moved = recorded('child', [first]).map(({ id, type, data, ...envelope }) => ({
      ...envelope,
      id: 'moved',
      type: 'pi.entry.moved.v1',
      data: { eventId: id, event: { type, data } },
    }));
    expect(recalled([wantedOf('child', 'parent')], moved as never)).toEqual(
      accounts(recorded('child', [first], parentOf('parent'))),
    );
  });
});

describe('the attribution of a recalled session', () => {
  const time = new Date(startMs).toISOString();
  const attributed = (data: object) =>
    [{ id: 'a', type: 'pi.session.attributed.v1', time, subject: 'child', data }] as never;
  const main = { kind: 'main', name: null };
  const worker = { kind: 'subagent', name: 'worker' };
  const guess = (agent: object, parentSessionId: string | null, basis = 'import') => ({
    basis,
    agent,
    parentSessionId,
    producerVersion: '0.1.0',
  });
  const wanted = [{ ...wantedOf('child', 'parent'), attributedLaterMs: 2 }];

  it.each([
    [guess(main, null), guess({ kind: 'subagent', name: null }, 'parent')],
    [guess(main, 'forked'), guess({ kind: 'subagent', name: null }, 'forked')],
    [guess(worker, null), guess(worker, 'parent')],
  ])('replaces a guess from before the parent was known: %j', (before, after) => {
    expect(recalled(wanted, attributed(before))).toEqual([
      {
        id: expect.stringMatching(/-8...-/),
        type: 'pi.session.attributed.v1',
        time: '2026-11-20T09:00:00.002Z',
        subject: 'child',
        data: after,
      },
    ]);
  });

  it.each([guess(worker, 'parent'), guess(main, null, 'live'), guess(worker, null, 'live')])(
    'stays where it knew the parent or is no guess: %j',
    (before) => {
      expect(recalled(wanted, attributed(before))).toEqual([]);
    },
  );

  it('stays where it is not wanted again, and that of other sessions does', () => {
    const before = attributed(guess(main, null));
    expect(recalled([wantedOf('child', 'parent')], before)).toEqual([]);
    const other = [{ ...wantedOf('other', 'parent'), attributedLaterMs: 1 }];
    expect(recalled(other, before)).toEqual([]);
  });
});
