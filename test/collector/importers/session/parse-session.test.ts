/** A bad line is reported by kind and position; the other lines count. */
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../../collector/importers/session/session-file.ts';
import { answer, toolResult } from '../../../extension/support/fake-session.ts';
import { begin, file, header, prompt, read, startMs, turn } from '../support/read.ts';

describe('what is wrong with a line', () => {
  const long = 'x'.repeat(61_000);
  const entry = (more: object) =>
    JSON.stringify({
      type: 'custom',
      id: 'c1',
      parentId: 'a1',
      timestamp: '2026-11-20T09:00:03.000Z',
      ...more,
    });

  it.each([
    [
      'no JSON',
      'oops',
      'not_json',
      'expected one JSON object, found 4 characters of something else',
      true,
    ],
    [
      'a number',
      '42',
      'not_an_entry',
      'expected an object with "type", "id" and "timestamp", found a number',
      false,
    ],
    [
      'null',
      'null',
      'not_an_entry',
      'expected an object with "type", "id" and "timestamp", found null',
      false,
    ],
    [
      'an object',
      '{"a":{"usage":{"cost":1}}}',
      'not_an_entry',
      expect.stringContaining('found an object without a type'),
      true,
    ],
    [
      'no time',
      turn.replace(/"timestamp":"[^"]+"/, '"timestamp":"soon"'),
      'no_time',
      expect.stringContaining('4 characters of'),
      true,
    ],
    [
      'deep',
      turn.replace('"usage":{', `"usage":{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)},`),
      'nested_too_deep',
      'the entry is nested too deep: not counted',
      true,
    ],
    [
      'a usage with a long text',
      entry({ usage: { input: 1, note: long } }),
      'line_too_long',
      expect.stringMatching(/^a line of 61\d+ bytes has a long text in its usage: not read$/),
      true,
    ],
  ])('is said by its kind, without its words: %s', (_what, line, code, message, mayHoldSpend) => {
    const { issues, turns, answers } = read(file(header, line, turn));
    expect(issues).toEqual([{ code, line: 2, message, mayHoldSpend }]);
    expect(answers).toEqual(['next', 'next', 'next']);
    expect(turns).toBe(1);
  });

  it.each([
    [255, []],
    [256, ['nested_too_deep']],
    [6_000, ['nested_too_deep']],
  ])(
    'is that %i levels in a usage are more than 256, whatever the stack holds',
    (levels, codes) => {
      const deep = `"usage":{"deep":${'['.repeat(levels)}${']'.repeat(levels)},`;
      const { issues, turns } = read(file(header, turn.replace('"usage":{', deep)));
      expect(issues.map(({ code }) => code)).toEqual(codes);
      expect(turns).toBe(1 - codes.length);
    },
  );

  it('is nothing in an odd response id, which costs no other line either', () => {
    const odd = `"responseId":${'['.repeat(300)}${']'.repeat(300)},"usage":`;
    const session = file(header, turn.replace('"usage":', odd));
    expect(read(session)).toMatchObject({ issues: [], turns: 1 });
  });

  it('is that short values alone are too much', () => {
    const reading = begin({});
    for (const line of linesOf([Buffer.from(file(header, turn))]))
      expect(reading.take({ ...line, ...(line.number === 2 && { text: null }) })).toBe('next');
    expect(reading.position).toEqual({ offset: file(header, turn).length, lines: 2 });
    expect(reading.issues.list).toMatchObject([
      {
        code: 'line_too_long',
        line: 2,
        message: expect.stringMatching(
          /^a line of \d+ bytes is too long even without its long texts: not read$/,
        ),
        mayHoldSpend: true,
      },
    ]);
  });

  it('is nothing where a long text of another entry is cut', () => {
    expect(read(file(header, entry({ data: long }), turn))).toMatchObject({ issues: [], turns: 1 });
  });

  it('is nothing where only blanks stand in it, unless they are many', () => {
    expect(read(file(header, '', ' \t', ' '.repeat(998), turn))).toMatchObject({
      issues: [],
      turns: 1,
    });
    expect(read(file(header, ' '.repeat(999), turn)).issues).toMatchObject([
      { code: 'not_json', line: 2 },
    ]);
  });

  it('is nothing in the title that omp puts in front', () => {
    expect(read(file('{"type":"title","title":"The shop"}', header, turn))).toMatchObject({
      issues: [],
      turns: 1,
    });
  });

  it('is that it is no UTF-8, which is replaced', () => {
    const bytes = Buffer.from(file(header, prompt, turn));
    bytes[bytes.indexOf('"go"') + 1] = 0xff;
    expect(read(bytes)).toMatchObject({
      issues: [
        {
          code: 'not_utf8',
          line: 2,
          message: 'expected UTF-8; invalid bytes were replaced',
          mayHoldSpend: false,
        },
      ],
      turns: 1,
    });
  });

  it('is a time that is too far ahead, which may hold spend where the entry does', () => {
    const { issues, turns, reading } = read(file(header, prompt, turn), {
      latestTime: '2026-11-20T09:00:00.500Z',
    });
    const message = (second: number) =>
      `2026-11-20T09:00:0${second}.000Z is more than a day ahead; ` +
      'it will be read again at that time';
    expect(issues).toEqual([
      { code: 'time_in_future', line: 2, message: message(1), mayHoldSpend: false },
      { code: 'time_in_future', line: 3, message: message(2), mayHoldSpend: true },
    ]);
    expect(turns).toBe(0);
    expect(reading.againAtMs).toBe(startMs + 1_000 - 24 * 3_600_000);
  });

  it('is a time too far ahead, which may hold spend if others’ spend is repeated', () => {
    const results = [{ agent: 'scout', messages: [{ ...answer('sub').message, timestamp: 1 }] }];
    const claims = {
      id: 't1',
      parentId: null,
      timestamp: '2026-11-20T09:00:03.000Z',
      ...toolResult('c', 'subagent', false, { results }),
    };
    const { issues, events } = read(file(header, JSON.stringify(claims)), {
      latestTime: '2026-11-20T09:00:00.500Z',
    });
    expect(issues).toMatchObject([{ code: 'time_in_future', line: 2, mayHoldSpend: true }]);
    expect(events.map(({ type }) => type)).toEqual([
      'pi.session.started.v1',
      'pi.session.attributed.v1',
    ]);
  });

  it('is that the text of a summary in a cut line is left out', () => {
    const contents = {
      of: (text: string) => ({ text, truncated: false, redactions: 0 }),
      problem: () => null,
    } as never;
    const summary = (id: string, more: object) =>
      entry({
        type: 'compaction',
        id,
        summary: 'so far',
        firstKeptEntryId: 'a1',
        tokensBefore: 9,
        ...more,
      });
    const { issues, events } = read(
      file(header, turn, summary('c1', { details: long }), summary('c2', {})),
      { contents },
    );
    expect(issues).toEqual([
      {
        code: 'text_left_out',
        line: 3,
        message: 'the text of a summary is left out: its line is too long',
        mayHoldSpend: false,
      },
    ]);
    const texts = events.flatMap(({ data }) =>
      'tokensBefore' in data
        ? [(data as { summaryText?: { text: string } }).summaryText?.text]
        : [],
    );
    expect(texts).toEqual([undefined, 'so far']);
  });

  it('is that a copy has lost its price, and whose it is nobody can say', () => {
    const copy = turn
      .replace(/"cost":\{[^}]*\}/, '"cost":{"total":0}')
      .replace('09:00:02', '08:00:02');
    const { issues, turns } = read(file(header, copy, turn), { importer: 'omp' });
    expect(issues).toEqual([
      {
        code: 'owner_unknown',
        line: 2,
        message: 'a copy without its price, and no file says whose it is: not counted',
        mayHoldSpend: true,
      },
    ]);
    expect(turns).toBe(1);
  });

  it('is usage in a place where none is known', () => {
    expect(read(file(header, entry({ data: { calls: { usage: { input: 1 } } } }))).issues).toEqual([
      {
        code: 'usage_in_unknown_place',
        line: 2,
        message: 'unknown usage at /data/calls/usage of an entry of type custom: not counted',
        mayHoldSpend: false,
      },
    ]);
  });
});

describe('a last line without its end', () => {
  it('that is no JSON yet is named and read again', () => {
    const { issues, reading, turns, answers } = read(`${file(header, prompt)}${turn.slice(0, 50)}`);
    expect(answers).toEqual(['next', 'next', 'next']);
    expect(issues).toEqual([
      {
        code: 'half_line',
        line: 3,
        message: 'the last line breaks off after 50 bytes; everything before it counts',
        mayHoldSpend: false,
      },
    ]);
    expect(turns).toBe(0);
    expect(reading.position).toEqual({ offset: file(header, prompt).length, lines: 2 });
  });

  it('counts where it is whole, and is read again', () => {
    const { issues, reading, turns } = read(`${file(header, prompt)}${turn}`);
    expect({ issues, turns }).toEqual({ issues: [], turns: 1 });
    expect(reading.position).toEqual({ offset: file(header, prompt).length, lines: 2 });
    expect(reading.bytes).toBe(file(header, prompt, turn).length - 1);
  });
});
