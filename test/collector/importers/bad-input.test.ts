/**
 * Whatever a session file contains, what can be counted counts, and the rest is listed by file and
 * line.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pi } from '../../../collector/importers/pi/importer.ts';
import { answer, toolResult, usage, userSays } from '../../extension/support/fake-session.ts';
import { fresh, imported, story } from './support/bad-input.ts';
import { linesOfSession, writeLines } from './support/files.ts';
import { createImports } from './support/imports.ts';

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
      'in the sum that a tool says of its subagents',
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
