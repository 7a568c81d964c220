/** Whose session it was, according to the session file and this machine. */
import { afterEach, expect, it } from 'vitest';
import { createGuesser, type GuessedSession } from '../../../collector/importers/attribution.ts';
import { type Header, readHeader } from '../../../core/record/entry.ts';
import { newSession } from '../../extension/support/fake-session.ts';

const startMs = Date.parse('2026-11-20T09:00:00.000Z');
const project = { name: 'shop', root: '/srv/shop', remote: null, branch: null };
const asked: string[] = [];
const options = {
  user: 'ada',
  machine: 'desk',
  projectOf: (cwd: string) => {
    asked.push(cwd);
    return project as never;
  },
  version: '0.1.0',
};

function session(
  cwd: string | undefined = '/srv/shop',
  more: Partial<GuessedSession> = {},
): GuessedSession {
  const header = readHeader({ ...newSession('s1', startMs).header, cwd }) as Header;
  return {
    header,
    importer: 'omp',
    parentSessionId: 'p',
    agent: { kind: 'subagent', name: 'A' },
    ...more,
  };
}

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

it('is a guess from the header, with directory, machine and user, not billing', () => {
  process.env.TZ = 'UTC';
  const { header } = session();
  const guess = createGuesser(options).attribute(session(), header);
  expect(guess).toEqual({
    id: expect.any(String),
    type: 'pi.session.attributed.v1',
    time: '2026-11-20T09:00:00.000Z',
    subject: 's1',
    data: {
      basis: 'import',
      project,
      cwd: '/srv/shop',
      user: 'ada',
      machine: 'desk',
      utcOffsetMinutes: 0,
      billing: {},
      host: { name: 'omp', version: null },
      mode: 'unknown',
      agent: { kind: 'subagent', name: 'A' },
      parentSessionId: 'p',
      previousSessionId: null,
      producerVersion: '0.1.0',
    },
  });
  expect(Object.is((guess.data as { utcOffsetMinutes: number }).utcOffsetMinutes, 0)).toBe(true);
});

it('holds from the time that is asked for', () => {
  const moment = { timestamp: '2026-11-20T10:00:00.000Z', timeMs: startMs + 3_600_000 };
  expect(createGuesser(options).attribute(session(), moment).time).toBe(moment.timestamp);
});

it('is the same event for the same guess of any version, else another one', () => {
  const { header } = session();
  const idOf = (guessed: GuessedSession, more = {}) =>
    createGuesser({ ...options, ...more }).attribute(guessed, header).id;
  expect(idOf(session(), { version: '9.9.9' })).toBe(idOf(session()));
  const others = [
    idOf(session(), { user: 'bob' }),
    idOf(session('/srv/other')),
    idOf(session(undefined, { parentSessionId: null })),
    createGuesser(options).infer('s1', session()).id,
  ];
  expect(new Set([...others, idOf(session())]).size).toBe(5);
});

it('of a session without a directory has an empty one, and of a long one its beginning', () => {
  const { header } = session();
  const cwdOf = (cwd: string | null) => {
    const data = createGuesser(options).attribute(
      { ...session(), header: { ...header, cwd } },
      header,
    ).data as { cwd: string };
    expect(asked.at(-1)).toBe(data.cwd);
    return data.cwd;
  };
  expect(cwdOf(null)).toBe('');
  expect(cwdOf(`/${'x'.repeat(5_000)}`)).toBe(`/${'x'.repeat(4_095)}`);
});

it('of the owner of what a copy holds takes the place of the copy, from its start on', () => {
  const inferred = createGuesser(options).infer('owner', session());
  expect(inferred).toMatchObject({
    subject: 'owner',
    time: '2026-11-20T09:00:00.000Z',
    data: {
      basis: 'inferred',
      cwd: '/srv/shop',
      agent: { kind: 'main', name: null },
      parentSessionId: null,
    },
  });
});
