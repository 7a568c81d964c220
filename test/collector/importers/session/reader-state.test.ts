/** What is recorded about a session besides its entries: whose it was, and who may claim it. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../../../core/record/entry.ts';
import {
  answer,
  append,
  newSession,
  toolResult,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { writeSession } from '../support/files.ts';
import {
  at,
  attributions,
  entriesOf,
  forked,
  keyOf,
  type Options,
  parentFile,
  recorded,
  recorderOf,
  startMs,
  story,
} from '../support/recorded.ts';

const root = temporaryDirectory();
const zone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = 'UTC';
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('what is said of the session', () => {
  it('is that it started and whose it was, at its start', () => {
    const { begun } = recorded(story());
    expect(begun.map(({ type, subject, time }) => [type, subject, time])).toEqual([
      ['pi.session.started.v1', 's', '2026-11-20T09:00:00.000Z'],
      ['pi.session.attributed.v1', 's', '2026-11-20T09:00:00.000Z'],
    ]);
  });

  it('is no start where the header was made up, and no place where none is known', () => {
    expect(recorded(story(), { isHeaderRead: false }).begun.map(({ type }) => type)).toEqual([
      'pi.session.attributed.v1',
    ]);
    const { begun, drafts, ended } = recorded(forked(parentFile(root)), { header: { cwd: null } });
    expect(attributions([...begun, ...drafts, ...ended])).toEqual([]);
  });

  const parent = { sessionId: 'parent', key: 'turn:t1' };
  const agentOf = (options: Options, session = story()) => {
    const [attribution] = attributions(recorded(session, options).begun);
    if (attribution?.type !== 'pi.session.attributed.v1') return null;
    const { agent, parentSessionId } = attribution.data;
    return [agent.kind, agent.name, parentSessionId, Date.parse(attribution.time) - startMs];
  };

  it('names the agent and its parent, after the guess without the parent', () => {
    const directory = '/sessions/2026-11-20T08-00-00-000Z_above';
    expect(agentOf({})).toEqual(['main', null, null, 0]);
    expect(agentOf({}, story({ parentSession: 'other' }))).toEqual(['main', null, 'other', 0]);
    expect(agentOf({ claimedBy: parent })).toEqual(['subagent', null, 'parent', 1]);
    expect(agentOf({ claimedBy: parent, isClaimedAnew: true })).toEqual([
      'subagent',
      null,
      'parent',
      2,
    ]);
    expect(agentOf({ isClaimedAnew: true })).toEqual(['main', null, null, 0]);
    expect(agentOf({ path: `${directory}/A.jsonl` })).toEqual(['subagent', 'A', 'above', 0]);
    expect(agentOf({ path: `${directory}/A/A.B.jsonl` })).toEqual(['subagent', 'A.B', null, 0]);
    expect(agentOf({ path: `${directory}/A/A.B.jsonl`, claimedBy: parent })).toEqual([
      'subagent',
      'A.B',
      'parent',
      1,
    ]);
    expect(agentOf({ path: `${directory}/A.jsonl` }, story({ parentSession: 'other' }))).toEqual([
      'subagent',
      'A',
      'other',
      0,
    ]);
  });

  it('stands behind an earlier guess where the parent is told by another file', () => {
    const home = mkdtempSync(join(root, 'sessions-'));
    const directory = join(home, '2026-11-20T08-00-00-000Z_above');
    writeSession(directory, newSession('a', at(-1)), 'A.jsonl');
    const path = join(directory, 'A', 'A.B.jsonl');
    expect(agentOf({ path })).toEqual(['subagent', 'A.B', 'a', 1]);
    const { standing } = recorded(story(), { path });
    expect(standing).toMatchObject({
      placedParent: { sessionId: 'a', key: 'agent:A.B' },
      awaitedParent: null,
    });
  });

  it('is whom a subagent waits for, until another file has told it', () => {
    const path = '/sessions/2026-11-20T08-00-00-000Z_above/A/A.B.jsonl';
    const awaitedParent = {
      file: '/sessions/2026-11-20T08-00-00-000Z_above/A.jsonl',
      key: 'agent:A.B',
    };
    expect(recorded(story(), { path }).standing).toMatchObject({
      placedParent: null,
      awaitedParent,
    });
    expect(recorded(story(), { path, claimedBy: parent }).standing).toMatchObject({
      placedParent: null,
      awaitedParent: null,
    });
    expect(recorded(story()).standing).toMatchObject({ placedParent: null, awaitedParent: null });
  });
});

describe('what a parent may claim a session by', () => {
  it('is its first own answer, and of those whose entries it holds each one’s first', () => {
    const session = forked(parentFile(root));
    append(session, 'own2', at(12), answer('r-c2', { timestamp: 3 }));
    expect(recorded(session).standing).toMatchObject({
      hasOwn: true,
      firstAnswer: keyOf(answer('r-c', { timestamp: 2 })),
      copiedAnswers: [{ sessionId: 'p', key: keyOf(answer('r-p', { timestamp: 1 })) }],
    });
  });

  it('is of each owner the first answer, whatever else was copied', () => {
    const session = newSession('c', at(10), { parentSession: parentFile(root) });
    append(session, 'u', at(1), userSays());
    for (const index of [1, 2]) append(session, `a${index}`, at(1 + index), answer(`r-p${index}`));
    append(session, 'x', at(4), toolResult('t', 'read'));
    expect(recorded(session).standing.copiedAnswers).toEqual([
      {
        sessionId: 'p',
        key: keyOf(answer('r-p1')),
        beganAt: new Date(at(2)).toISOString(),
        sums: ['sum:200,14,6,0'],
      },
    ]);
  });

  it('is nothing while it has no answer', () => {
    const session = newSession('s', at(0));
    expect(recorded(session).standing).toMatchObject({
      hasOwn: false,
      firstAnswer: null,
      copiedAnswers: [],
      utcOffsetMinutes: 0,
    });
    append(session, 'u', at(1), userSays());
    expect(recorded(session).standing).toMatchObject({
      hasOwn: true,
      firstAnswer: null,
      copiedAnswers: [],
    });
  });

  it('stays what it was when the file has grown', () => {
    const { standing } = recorded(forked(parentFile(root)));
    const grown = recorderOf(forked(parentFile(root)), { standing });
    grown.take({ ...(entriesOf(story())[1] as Entry), parentId: null });
    const { firstAnswer, copiedAnswers, hasOwn } = grown.standing;
    expect({ firstAnswer, copiedAnswers, hasOwn }).toEqual({
      firstAnswer: standing.firstAnswer,
      copiedAnswers: standing.copiedAnswers,
      hasOwn: true,
    });
  });

  it('is of a hundred owners at most', () => {
    const { standing } = recorded(forked(parentFile(root)));
    const many = Array.from({ length: 100 }, (_, index) => ({
      sessionId: 'p',
      key: `response:${index}`,
      beganAt: '',
      sums: [],
    }));
    const before = { ...standing, hasOwn: false, copiedAnswers: many };
    const recorder = recorderOf(forked(parentFile(root)), { standing: before });
    for (const entry of entriesOf(forked(parentFile(root)))) recorder.take(entry);
    expect(recorder.standing.copiedAnswers).toEqual(many);
  });
});
