/**
 * Whatever stands in a session file: what can be counted is counted, the rest is listed by file and
 * line.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi.ts';
import { createInlineRunner } from '../../../collector/importers/threads/runner.ts';
import {
  answer,
  append,
  type FakeSession,
  newSession,
  toolResult,
  usage,
  userSays,
} from '../../extension/support/fake-session.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { linesOfSession, writeLines, writeSession } from './support/files.ts';
import { createImports } from './support/imports.ts';

const root = temporaryDirectory();
const startMs = Date.parse('2026-11-20T09:00:00.000Z');

/** A session of two answers. */
function story(id = 's1'): FakeSession {
  const session = newSession(id, startMs);
  append(session, 'u1', startMs + 1_000, userSays());
  append(session, 'a1', startMs + 2_000, answer('r1'));
  append(session, 'a2', startMs + 3_000, answer('r2'));
  return session;
}

const fresh = () => mkdtempSync(join(root, 'sessions-'));

/** One file with these lines, imported. */
async function imported(lines: readonly string[], end = '\n', name = 'session.jsonl') {
  const directory = fresh();
  const path = writeLines(join(directory, name), lines, end);
  const imports = createImports(pi, directory);
  const result = await imports.scan();
  const turns = imports.of('pi.turn.completed.v1').map(({ data }) => data.entryId);
  return {
    imports,
    result,
    turns,
    path,
    issues: result.issues.map(({ code, file, line }) => ({ code, file, line })),
  };
}

const [header = '', prompt = '', first = '', second = ''] = linesOfSession(story());

describe('a line', () => {
  it.each([
    ['that is no JSON', 'not_json', '{"type":"message",'],
    ['that is JSON and no entry', 'not_an_entry', '{"hello":1}'],
    ['that is a number', 'not_an_entry', '42'],
    ['that is another header', 'not_an_entry', header],
    [
      'that has no readable time',
      'no_time',
      first.replace(/"timestamp":"[^"]+"/, '"timestamp":"yesterday"'),
    ],
    [
      'that is nested too deep',
      'nested_too_deep',
      first.replace('"usage":{', `"usage":{"x":${'['.repeat(20_000)}${']'.repeat(20_000)},`),
    ],
  ])('%s is listed, and the others count', async (_what, code, line) => {
    const { turns, issues, path, result } = await imported([header, prompt, line, second]);
    expect(turns).toEqual(['a2']);
    expect(issues).toEqual([{ code, file: path, line: 3 }]);
    expect(result).toMatchObject({ files: { read: 1, failed: 0 }, events: { rejected: 0 } });
  });

  it('that is no UTF-8 counts, and is listed', async () => {
    const directory = fresh();
    const bytes = Buffer.from(linesOfSession(story()).join('\n'));
    const at = bytes.indexOf('"go"') + 1;
    bytes[at] = 0xff;
    writeFileSync(join(directory, 's.jsonl'), bytes);
    const imports = createImports(pi, directory);
    expect((await imports.scan()).issues).toMatchObject([{ code: 'not_utf8', line: 2 }]);
    expect(imports.of('pi.turn.completed.v1').length).toBe(2);
    expect(imports.of('pi.prompt.submitted.v1').length).toBe(1);
  });

  it('that is empty is no line', async () => {
    expect(await imported(['', header, '', `${first}\r`, '  '])).toMatchObject({
      turns: ['a1'],
      issues: [],
    });
  });

  it('that breaks off at the end is listed, and counts when its end has come', async () => {
    const directory = fresh();
    const lines = linesOfSession(story());
    const path = writeLines(
      join(directory, 's.jsonl'),
      [...lines.slice(0, 3), second.slice(0, 40)],
      '',
    );
    const imports = createImports(pi, directory);
    expect((await imports.scan()).issues).toMatchObject([{ code: 'half_line', line: 4 }]);
    expect(imports.of('pi.turn.completed.v1').length).toBe(1);
    writeLines(path, lines);
    expect(await imports.scan()).toMatchObject({ issueCount: 0, events: { new: 1 } });
    expect(imports.of('pi.turn.completed.v1').length).toBe(2);
  });

  it('that lacks nothing but its newline counts', async () => {
    expect(await imported([header, prompt, first, second], '')).toMatchObject({
      turns: ['a1', 'a2'],
      issues: [],
    });
  });

  it('that breaks off within a character has nothing wrong once it is whole', async () => {
    const lines = linesOfSession(story()).map((line) => line.replace('"go"', '"gö"'));
    const whole = Buffer.from(`${lines.slice(0, 2).join('\n')}\n`);
    const path = join(fresh(), 's.jsonl');
    writeFileSync(path, whole.subarray(0, whole.indexOf('ö') + 1));
    const imports = createImports(pi, dirname(path));
    expect((await imports.scan()).issues).toMatchObject([{ code: 'half_line', line: 2 }]);
    writeLines(path, lines);
    expect(await imports.scan()).toMatchObject({ issueCount: 0 });
  });

  it('that is listed and has no newline yet is listed once when it has', async () => {
    const { imports, path } = await imported([header, prompt, first, '{"hello":1}'], '');
    writeLines(path, [header, prompt, first, '{"hello":1}', second]);
    expect(await imports.scan()).toMatchObject({
      issueCount: 1,
      issues: [{ code: 'not_an_entry', line: 4 }],
    });
  });
});

describe('spend that nobody knows', () => {
  const at = '2026-11-20T09:00:04.000Z';

  it('of an entry type that is new counts under its name', async () => {
    const unknown = JSON.stringify({
      type: 'dream',
      id: 'd1',
      parentId: 'a2',
      timestamp: at,
      usage: usage(5),
    });
    const { imports, result } = await imported([header, unknown]);
    expect(result.issueCount).toBe(0);
    expect(
      imports.of('pi.usage.recorded.v1').map(({ data }) => [data.kind, data.spend.inputTokens]),
    ).toEqual([['dream', 5]]);
  });

  it('in an unknown place is listed with its path, and not counted', async () => {
    const hidden = {
      type: 'custom',
      id: 'd1',
      parentId: 'a2',
      timestamp: at,
      data: { calls: [{ usage: usage(5) }] },
    };
    const { imports, result, path } = await imported([header, prompt, JSON.stringify(hidden)]);
    expect(result.issues).toEqual([
      {
        code: 'usage_in_unknown_place',
        file: path,
        line: 3,
        message: expect.stringContaining('/data/calls/0/usage'),
        mayHoldSpend: false,
      },
    ]);
    expect(imports.of('pi.usage.recorded.v1')).toEqual([]);
  });

  it.each([
    [
      'in what a tool says of itself',
      { ...toolResult('c1', 'task'), ...{} },
      { details: { usage: usage(5) } },
    ],
    [
      'in what a model wrote',
      answer('r9'),
      { content: [{ type: 'toolCall', id: 'c', name: 't', arguments: { usage: usage(5) } }] },
    ],
    ['that has no figures', userSays(), { note: { usage: 'see the manual' } }],
  ])('is no matter %s', async (_what, entry, more) => {
    const body = {
      ...entry,
      id: 'd1',
      parentId: 'a2',
      timestamp: at,
      message: { ...entry.message, ...more },
    };
    expect((await imported([header, JSON.stringify(body)])).issues).toEqual([]);
  });
});

describe('a file', () => {
  const name = '2026-11-20T09-00-00-000Z_s1.jsonl';

  it('without a header is read by its name: session and time stand there', async () => {
    const { imports, turns, issues, path } = await imported([prompt, first], '\n', name);
    expect(turns).toEqual(['a1']);
    expect(issues).toEqual([{ code: 'no_header', file: path, line: 1 }]);
    expect(imports.of('pi.turn.completed.v1').map(({ subject }) => subject)).toEqual(['s1']);
    expect(imports.of('pi.session.started.v1')).toEqual([]);
  });

  it('without a header or a telling name is left out, and said so', async () => {
    const { result, turns, issues, path } = await imported([prompt, first]);
    expect({ turns, issues }).toEqual({
      turns: [],
      issues: [{ code: 'no_header', file: path, line: 1 }],
    });
    expect(result).toMatchObject({ files: { read: 0, failed: 1 } });
  });

  it('of another format version is read, and listed', async () => {
    const { turns, issues, path } = await imported([
      header.replace('"version":3', '"version":4'),
      prompt,
      first,
    ]);
    expect({ turns, issues }).toEqual({
      turns: ['a1'],
      issues: [{ code: 'version_unknown', file: path, line: 1 }],
    });
  });

  it('that is empty is none yet', async () => {
    expect((await imported([], '')).result).toMatchObject({
      files: { found: 1, failed: 0 },
      issueCount: 0,
    });
  });

  it('that is gone when its turn comes is listed, and stops nothing', async () => {
    const directory = fresh();
    const gone = writeSession(directory, story('s1'), 'a.jsonl');
    writeSession(directory, story('s2'), 'b.jsonl');
    const imports = createImports(pi, directory);
    const result = await imports.scan({
      createRunner(settings) {
        rmSync(gone);
        return createInlineRunner(settings);
      },
    });
    expect(result.issues).toMatchObject([{ code: 'file_gone', file: gone, line: null }]);
    expect(imports.of('pi.session.started.v1').map(({ subject }) => subject)).toEqual(['s2']);
    expect(await imports.scan()).toMatchObject({ files: { found: 1, failed: 0 }, issueCount: 0 });
  });

  it('over which reading itself breaks is listed, and stops nothing', async () => {
    const directory = fresh();
    const path = writeSession(directory, story('s1'), 'a.jsonl');
    writeSession(directory, story('s2'), 'b.jsonl');
    const imports = createImports(pi, directory);
    const result = await imports.scan({
      createRunner(settings) {
        const runner = createInlineRunner(settings);
        const broken = () => Promise.reject(new Error('broken'));
        return {
          ...runner,
          read: (job, take) => (job.path === path ? broken() : runner.read(job, take)),
        };
      },
    });
    expect(result).toMatchObject({
      files: { found: 2, read: 1, failed: 1 },
      issues: [{ code: 'file_unreadable', file: path }],
    });
    expect(await imports.scan()).toMatchObject({
      files: { unchanged: 1, failed: 1 },
      bytes: 0,
      issueCount: 1,
    });
  });

  it('is listed again while it stays as it is, without being read again', async () => {
    const { imports, result } = await imported([header, '{"hello":1}', first]);
    expect(await imports.scan()).toMatchObject({
      files: { unchanged: 1, read: 0 },
      bytes: 0,
      issues: result.issues,
    });
  });

  it('that grows keeps what was wrong with it', async () => {
    const { imports, path } = await imported([header, '{"hello":1}', first]);
    writeLines(path, [header, '{"hello":1}', first, second]);
    expect((await imports.scan()).issues).toMatchObject([{ code: 'not_an_entry', line: 2 }]);
  });
});

describe('a directory', () => {
  it('that is named and not there is listed', async () => {
    const directory = join(root, 'nowhere');
    expect((await createImports(pi, directory).scan()).issues).toMatchObject([
      { code: 'directory_unreadable', file: directory },
    ]);
  });

  it('that is a file is listed', async () => {
    const path = writeLines(join(fresh(), 'a.jsonl'), [header]);
    expect((await createImports(pi, path).scan()).issues).toMatchObject([
      { code: 'directory_unreadable', file: path },
    ]);
  });

  it('that is deep, or in a circle, ends', async () => {
    const directory = fresh();
    const deep = join(directory, ...Array.from({ length: 40 }, (_, index) => String(index)));
    mkdirSync(deep, { recursive: true });
    symlinkSync(directory, join(directory, '0', '1', 'up'));
    writeSession(join(directory, '0', '1'), story());
    const result = await createImports(pi, directory).scan();
    expect(result).toMatchObject({
      files: { found: 1, read: 1 },
      issues: [{ code: 'directory_unreadable', line: null }],
    });
    expect(result.issues[0]?.file).toMatch(/\/15\/16$/);
  });

  it('that holds links to themselves is read, and they are listed', async () => {
    const directory = fresh();
    const loop = join(directory, 'loop.jsonl');
    symlinkSync(loop, loop);
    symlinkSync(join(directory, 'round'), join(directory, 'round'));
    writeSession(directory, story());
    const result = await createImports(pi, directory).scan();
    expect(result).toMatchObject({ files: { found: 1, read: 1 }, issueCount: 2 });
    expect(result.issues[0]).toMatchObject({
      code: 'file_unreadable',
      file: loop,
      message: expect.stringContaining('ELOOP'),
    });
  });
});
