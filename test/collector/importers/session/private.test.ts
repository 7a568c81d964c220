/** Stretches that the user kept private, as the importers read them. */
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../core/record/entry.ts';
import {
  answer,
  append,
  type FakeSession,
  fork,
  newSession,
  toolCall,
  toolResult,
  usage,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { at, entriesOf, recorded, recorderOf, startMs, turns } from '../support/recorded.ts';

const mark = (state: string, entries?: number) => ({
  type: 'custom',
  customType: 'pi-ledger.recording',
  data: { state, ...(entries !== undefined && { entries }) },
});

const compaction = { type: 'compaction', summary: 's', tokensBefore: 9, usage: usage(5) };

function deep(): unknown {
  let value: unknown = 1;
  for (let depth = 0; depth < 50_000; depth += 1) value = [value];
  return value;
}

/** u1 a1 [paused: u2 a2] resumed, the result of a2's tool, a3. */
function story(): FakeSession {
  const session = newSession('s', startMs);
  append(session, 'u1', at(1), userSays());
  append(session, 'a1', at(2), answer('r1'));
  append(session, 'm1', at(3), mark('paused'));
  append(session, 'u2', at(4), userSays());
  append(session, 'a2', at(5), answer('r2', { content: [toolCall('t2', 'task')], model: 'big' }));
  append(session, 'm2', at(6), mark('resumed', 2));
  append(session, 't2', at(7), toolResult('t2', 'task'));
  append(session, 'c1', at(8), compaction);
  append(session, 'a3', at(9), answer('r3'));
  return session;
}

describe('a private stretch', () => {
  it('gives no events, but those of its two ends', () => {
    const { drafts, kinds } = recorded(story());
    expect(kinds.map((kind) => kind === 'private')).toEqual(
      [0, 0, 0, 1, 1, 0, 1, 0, 0].map(Boolean),
    );
    expect(turns(drafts).map(([id]) => id)).toEqual(['a1', 'a3']);
    expect(
      drafts.flatMap(({ type, data }) => (type === 'pi.recording.switched.v1' ? [data] : [])),
    ).toEqual([
      { entryId: 'm1', state: 'paused', entries: null },
      { entryId: 'm2', state: 'resumed', entries: 2 },
    ]);
    expect(JSON.stringify(drafts)).not.toMatch(/r2|"u2"|"a2"/);
  });

  it('hands on which model answers', () => {
    const { drafts } = recorded(story());
    const compacted = drafts.find(({ type }) => type === 'pi.compaction.completed.v1');
    expect(JSON.stringify(compacted)).toContain('"big"');
  });

  it('is private in a fork of it, which goes on until it is resumed', () => {
    const original = story();
    original.leafId = 'a2';
    const copy = fork(original, 'c', at(20));
    append(copy, 'a4', at(21), answer('r4'));
    expect(turns(recorded(copy).drafts).map(([id]) => id)).toEqual(['a1']);
    append(copy, 'm3', at(22), mark('resumed', 1));
    append(copy, 'a5', at(23), answer('r5'));
    expect(turns(recorded(copy).drafts).map(([id]) => id)).toEqual(['a1', 'a5']);
  });

  it('is not told by the summaries that follow', () => {
    const session = story();
    const told = { summary: 'hush', firstKeptEntryId: 'u2', details: { readFiles: ['hush/a'] } };
    append(session, 'c2', at(10), { ...compaction, ...told });
    session.leafId = 'u1';
    const left = { ...told, type: 'branch_summary', fromId: 'a2', usage: usage(6) };
    append(session, 'b1', at(11), left);
    const contents = { of: (text: string) => ({ text }) } as never;
    const { drafts } = recorded(session, { contents });
    const summaries = drafts.filter(({ type }) => /compaction|summarized/.test(type));
    expect(summaries).toMatchObject([
      { data: { firstKeptEntryId: null, filesRead: [], spend: { reported: true } } },
      { data: { firstKeptEntryId: null, filesRead: [], spend: { reported: true } } },
      { data: { fromEntryId: null, filesRead: [], spend: { reported: true } } },
    ]);
    expect(JSON.stringify(drafts)).not.toMatch(/hush|"u2"|"a2"|summaryText/);
  });

  it('goes on where reading a file goes on', () => {
    const session = story();
    const entries = entriesOf(session);
    for (let cut = 2; cut < entries.length; cut += 1) {
      const first = recorderOf(session);
      const before = entries.slice(0, cut).map((entry) => first.take(entry));
      const second = recorderOf(session, { standing: first.standing });
      const after = entries.slice(cut).map((entry) => second.take(entry));
      const drafts = [...before, ...after].flatMap((each) =>
        each.kind === 'drafts' ? each.drafts : [],
      );
      expect(turns(drafts).map(([id]) => id)).toEqual(['a1', 'a3']);
      expect(second.privacy).toBe('none');
    }
  });

  it('below an entry that was read long before needs the whole file', () => {
    const session = story();
    const entries = entriesOf(session);
    const first = recorderOf(session);
    for (const entry of entries.slice(0, 4)) first.take(entry);
    const second = recorderOf(session, { standing: first.standing });
    const kindBelow = (parentId: string | null) =>
      second.take({ ...(entries[4] as Entry), parentId }).kind;
    expect(['long ago', 'u2', null].map(kindBelow)).toEqual([
      'unknown parent',
      'private',
      'private',
    ]);
    session.entries[4] = { ...session.entries[4], parentId: 'nowhere' };
    expect(recorded(session).kinds[4]).toBe('private');
  });

  it('leaves what a fork copied behind it to its owner', () => {
    const copy = fork(story(), 'c', at(20));
    append(copy, 'a4', at(21), answer('r4'));
    expect(turns(recorded(copy).drafts)).toEqual([
      ['a1', 's', 'named'],
      ['a3', 's', 'named'],
      ['a4', 'c', 'unsure'],
    ]);
  });

  it('is a fork’s own too: what follows it is no copy, though a clock was set back', () => {
    const original = story();
    original.leafId = 'a2';
    const copy = fork(original, 'c', at(20));
    append(copy, 'a4', at(21), answer('r4'));
    append(copy, 'm3', at(6), mark('resumed', 1));
    append(copy, 'a5', at(7), answer('r5'));
    expect(turns(recorded(copy).drafts).at(-1)).toEqual(['a5', 'c', 'unsure']);
  });

  it('hands on the model over an entry that is nested too deep', () => {
    const session = newSession('s', startMs);
    append(session, 'a1', at(1), answer('r1'));
    append(session, 'm1', at(2), mark('paused'));
    append(session, 'a2', at(3), answer('r2', { model: 'big' }));
    append(session, 'u1', at(4), { type: 'message', message: { role: 'user', content: [deep()] } });
    append(session, 'm2', at(5), mark('resumed', 2));
    append(session, 'c1', at(6), compaction);
    const { drafts, kinds } = recorded(session);
    expect(kinds).toEqual(['drafts', 'drafts', 'private', 'private', 'drafts', 'drafts']);
    expect(JSON.stringify(drafts.at(-1))).toContain('"big"');
  });

  it.each([
    ['of another extension', { type: 'custom', customType: 'other', data: { state: 'paused' } }],
    ['that says something else', mark('sleeping')],
    ['without data', { type: 'custom', customType: 'pi-ledger.recording' }],
    ['that the model sees', { ...mark('paused'), type: 'custom_message' }],
  ])('does not begin at an entry %s', (_what, body) => {
    const session = newSession('s', startMs);
    append(session, 'm', at(1), body);
    append(session, 'a1', at(2), answer('r1'));
    expect(turns(recorded(session).drafts)).toHaveLength(1);
  });
});
