/** Files that a host printed, found among the session files: what they prove, and when. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { readFacts } from '../support/read-facts.ts';
import { at, header, line, writeFile } from '../support/two-sides.ts';

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'streams-'));
});

const start = { type: 'agent_start' };
const printed = (second: number | null, input = 10) => ({
  type: 'message_end',
  message: {
    role: 'assistant',
    usage: { input, output: 1 },
    ...(second !== null && { timestamp: Date.parse(at(second)) }),
  },
});

type Lines = Parameters<typeof writeFile>[2];

/** `session answers` of each stream, and the ids of sessions. */
function found(lines: Lines, ...period: readonly number[]) {
  writeFile(root, 'x.jsonl', lines);
  const [from = 0, to = 1_000] = period;
  const { streams, sessions, problems } = readFacts([root], {
    floorMs: from === 0 ? 0 : Date.parse(at(from)),
    latestMs: Date.parse(at(to)),
  });
  return {
    streams: streams.map(({ file, answers }) => `${file.header.sessionId} ${answers.size}`),
    sessions: [...sessions.keys()],
    problems: problems.map(({ reason }) => reason),
  };
}

const nothing = { streams: [], sessions: [], problems: [] };

describe('a file that begins like a session', () => {
  it.each<[what: string, lines: Lines, streams: readonly string[]]>([
    [
      'its answers are those of the session',
      [header('s', 0), start, printed(1), printed(2)],
      ['s 2'],
    ],
    [
      'to its end, however long it is, whatever else it has',
      [header('s', 0), start, ...Array<string>(40).fill('hello'), '', '{"a', printed(1)],
      ['s 1'],
    ],
    ['an answer may be the first', [header('s', 0), printed(1), printed(2)], ['s 2']],
    ['without an answer it proves nothing', [header('s', 0), start], []],
  ])('is a stream where a host’s events follow: %s', (_what, lines, streams) => {
    expect(found(lines)).toEqual({ ...nothing, streams });
  });

  it.each<[what: string, lines: Lines]>([
    ['an entry', [header('s', 0), line({ id: 'a1', second: 1 }), start, printed(1)]],
    ['a record of a run', [header('s', 0), { type: 'note', runId: 'r' }, start, printed(1)]],
    ['something that nobody knows', [header('s', 0), { hello: 1 }, start, printed(1)]],
  ])('is a session where the next line is %s', (_what, lines) => {
    expect(found(lines)).toMatchObject({ streams: [], sessions: ['s'] });
  });

  it('is a stream where blank lines stand between', () => {
    expect(found(['', header('s', 0), '  ', '', start, printed(1)])).toMatchObject({
      streams: ['s 1'],
    });
  });
});

describe('a file that does not', () => {
  it.each<[what: string, lines: Lines]>([
    ['events of a host', [start, printed(1)]],
    ['events behind a title', [{ type: 'title', title: 't' }, start, printed(1)]],
    ['records of a run', [{ type: 'subagent.run.started', runId: 'r' }, printed(1)]],
    [
      'records of a run before entries',
      [{ recordType: 'x', runId: 'r' }, line({ id: 'a', second: 1 })],
    ],
    ['events before a header', [start, header('s', 0), line({ id: 'a', second: 1 })]],
  ])('is passed over without a word where it has %s', (_what, lines) => {
    expect(found(lines)).toEqual(nothing);
  });

  it('is named where nobody knows what it is', () => {
    expect(found([{ hello: 1 }])).toEqual({ ...nothing, problems: ['unreadable_line'] });
    writeFileSync(join(root, 'x.jsonl'), '\n  \n');
    expect(readFacts([root]).problems).toEqual([]);
  });
});

describe('answers of a stream', () => {
  const lines = [header('s', 3), start, printed(2, 1), printed(5, 2), printed(null, 3)];

  it.each<[what: string, from: number, to: number, count: number]>([
    ['all of them', 0, 9, 3],
    ['those asked for at its ends, and undated ones with the session', 2, 5, 3],
    ['not what is older', 3, 5, 2],
    ['... also what has no time', 4, 5, 1],
    ['not what is newer', 0, 4, 2],
    ['... also what has no time: from before the session', 0, 2, 1],
  ])('count within the period: %s', (_what, from, to, count) => {
    expect(found(lines, from, to).streams).toEqual([`s ${count}`]);
  });

  it('are private as a subagent’s are, by the place of the file', () => {
    const pause = {
      type: 'custom',
      customType: 'pi-ledger.recording',
      data: { state: 'paused' },
      timestamp: at(1),
    };
    writeFile(root, '2026-03-01T09-00-00-000Z_parent.jsonl', [header('parent', 0), pause]);
    writeFile(root, '2026-03-01T09-00-00-000Z_parent/run/events.jsonl', lines);
    expect(readFacts([root]).streams).toEqual([]);
    expect(found([header('t', 3), ...lines.slice(1)]).streams).toEqual(['t 3']);
  });
});
