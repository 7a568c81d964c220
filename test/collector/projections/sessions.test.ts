import { describe, expect, it } from 'vitest';
import { noRules } from '../../../collector/projections/rules.ts';
import { createSessions } from '../../../collector/projections/sessions.ts';
import { sessions } from './support/bare-sessions.ts';
import { fold } from './support/fold.ts';
import { attributed, event, limitsWide, turn } from './support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const later = '2026-11-22T11:00:00.000Z';

function foldOne(given: Parameters<typeof fold>[1], projection = sessions) {
  const state = fold(projection, given, { isReloaded: true }).states.get('s1');
  if (state === undefined) throw new Error('there is no such session');
  return state;
}

describe('sessions', () => {
  it('counts what happened in a session', () => {
    const { counts, tools } = foldOne([
      event('pi.prompt.submitted.v1', { at }),
      turn(at),
      turn(at, { reported: false }),
      event('pi.tool.completed.v1', { at }, { toolName: 'read' }),
      event('pi.tool.completed.v1', { at }, { toolName: 'bash', isError: true }),
      event('pi.tool.completed.v1', { at }, { toolName: 'bash' }),
      event('pi.tool.completed.v1', { at }, { toolName: '__proto__' }),
      event('pi.compaction.completed.v1', { at }),
      event('pi.compaction.failed.v1', { at }),
      event('pi.branch.summarized.v1', { at }),
      event('pi.run.completed.v1', { at }),
    ]);
    expect(counts).toEqual({
      prompts: 1,
      turns: 2,
      unreportedTurns: 1,
      toolCalls: 4,
      toolErrors: 1,
      compactions: 1,
      failedCompactions: 1,
      branchSummaries: 1,
      runs: 1,
      copies: 0,
    });
    expect([...tools.values()]).toEqual([
      { name: '__proto__', calls: 1, errors: 0 },
      { name: 'bash', calls: 2, errors: 1 },
      { name: 'read', calls: 1, errors: 0 },
    ]);
  });

  it('is seen from its first to its last event of any type, by their own time', () => {
    const state = foldOne([
      turn(later),
      event('pi.tool.timed.v1', { at }),
      event('pi.context.sampled.v1', { at: '2026-11-22T12:00:00.000Z' }),
    ]);
    expect(state).toMatchObject({
      firstSeenAt: at,
      lastSeenAt: '2026-11-22T12:00:00.000Z',
      started: null,
      ended: null,
    });
  });

  it('knows how it started, from its header, and how it last ended', () => {
    const state = foldOne([
      event('pi.session.ended.v1', { at: later }, { reason: 'quit' }),
      event('pi.session.ended.v1', { at }, { reason: 'fork' }),
      event('pi.session.started.v1', { at }, { cwd: '/home/ada', parentSessionId: 's0' }),
    ]);
    expect(state.started).toEqual({ at, cwd: '/home/ada', parentSessionId: 's0' });
    expect(state.ended).toEqual({ at: later, reason: 'quit' });
  });

  const none = `1${'0'.repeat(39)}`;
  const nothingSpent = { meteredOrder: none, subscriptionOrder: none, unknownOrder: none };

  it('is listed under its newest attribution', () => {
    const state = foldOne([
      attributed(later, { project: 'side', branch: null, user: 'grace', host: 'omp' }),
      attributed(at, { project: 'shop', user: 'ada' }),
      event('pi.session.started.v1', { at }, { parentSessionId: 's0' }),
    ]);
    expect(sessions.columnsOf(state)).toEqual({
      startedAt: at,
      lastSeenAt: later,
      project: 'side',
      branch: '',
      user: 'grace',
      machine: "grace's",
      host: 'omp',
      agent: 'main',
      parentSessionId: 's0',
      ignored: 0,
      firstDay: '2026-11-22',
      lastDay: '2026-11-22',
      ...nothingSpent,
    });
  });

  it('is listed under nothing, from its first event on, when nothing is known of it', () => {
    const unknown = {
      project: '',
      branch: '',
      user: '',
      machine: '',
      host: '',
      agent: '',
      parentSessionId: '',
      ignored: 0,
    };
    expect(sessions.columnsOf(foldOne([turn(at)]))).toEqual({
      startedAt: at,
      lastSeenAt: at,
      ...unknown,
      firstDay: '2026-11-22',
      lastDay: '2026-11-22',
      ...nothingSpent,
      unknownOrder: `0${'9'.repeat(39)}`,
    });
  });

  it('is not made by a producer’s report', () => {
    expect(fold(sessions, [event('pi.producer.reported.v1', { at })]).documents()).toEqual({});
  });

  it('writes the content of attributions once, however often it is said', () => {
    const given = Array.from({ length: 900 }, (_, index) =>
      attributed(new Date(Date.parse(at) + index * 1_000).toISOString(), {
        project: index % 2 === 0 ? 'shop' : 'side',
      }),
    );
    const [state] = fold(sessions, given, {
      isReloaded: (index) => index % 100 === 0,
    }).states.values();
    const text = state === undefined ? '' : sessions.encode(state);
    expect(state?.timeline.attributions).toHaveLength(900);
    expect(text.split('"shop"')).toHaveLength(2);
    expect(text.length).toBeLessThan(900 * 40);
  });

  it('bounds the attributions, and the names of tools that a model may invent', () => {
    const small = createSessions(noRules, {
      ...limitsWide,
      attributionsMax: 3,
      cellsMax: 100,
      toolNamesMax: 2,
    });
    const given = Array.from({ length: 9 }, (_, index) => [
      attributed(`2026-11-22T10:0${index}:00.000Z`, { project: `p${index}` }),
      event(
        'pi.tool.completed.v1',
        { at },
        { toolName: `tool ${9 - index}`, isError: index === 0 },
      ),
    ]).flat();
    const state = foldOne(given, small);
    expect(state.timeline.attributions.map(({ facts }) => facts.project.name)).toEqual([
      'p6',
      'p7',
      'p8',
    ]);
    expect([...state.tools.values()]).toEqual([
      { name: '(other)', calls: 7, errors: 1 },
      { name: 'tool 1', calls: 1, errors: 0 },
      { name: 'tool 2', calls: 1, errors: 0 },
    ]);
  });

  it('replaces halves of surrogate pairs, which no store can keep', () => {
    const folded = fold(sessions, [turn(at, { model: 'm\ud83d' }, 's\udc00')]);
    expect([...folded.states.keys()]).toEqual(['s\ufffd']);
    expect(
      folded.emitted.flatMap(({ dimensions }) => dimensions).every((text) => text.isWellFormed()),
    ).toBe(true);
  });
});
