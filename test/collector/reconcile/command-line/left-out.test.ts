/**
 * Unreadable parts of session files: named beside every total, and never explained away if they may
 * hold spend.
 */
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { answer, at, header, importingInto, sessionFileName, usage } from '../support/left-out.ts';

const told = importingInto(temporaryDirectory());

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

const manyTexts = JSON.stringify({
  type: 'custom',
  id: 'c',
  timestamp: at(3),
  data: Array.from({ length: 2_100_000 }, () => 'abcd'),
});

describe('what may hold spend and cannot be read', () => {
  it.each([
    [
      'is damaged',
      [header(), answer('a1', 1), answer('a2', 2).slice(5), answer('a3', 3)],
      'line_left_out',
      2,
    ],
    [
      'lost its end in the middle of a file',
      [header(), answer('a1', 1), answer('a2', 2).slice(0, 60), answer('a3', 3)],
      'line_left_out',
      2,
    ],
    [
      'is zeros after a power cut',
      [header(), answer('a1', 1), '\0'.repeat(200), answer('a3', 3)],
      'line_left_out',
      2,
    ],
    [
      'is nested too deep',
      [header(), answer('a1', 1), answer('a2', 2).replace('"input"', `"x":${deep},"input"`)],
      'line_left_out',
      1,
    ],
    [
      'has no time',
      [header(), answer('a1', 1), answer('a2', 2).replace(at(2), 'yesterday')],
      'line_left_out',
      1,
    ],
    [
      'is a claim of a subagent without a time',
      [header(), answer('a1', 1), claim('yesterday')],
      'line_left_out',
      1,
    ],
    [
      'is no entry, and has usage somewhere',
      [header(), answer('a1', 1), JSON.stringify({ result: { usage: usage(7) } })],
      'line_left_out',
      1,
    ],
    [
      'is too long even without its long texts',
      [header(), answer('a1', 1), manyTexts],
      'line_left_out',
      1,
    ],
    ['has a long text in its usage', [header(), answer('a1', 1), longUsage()], 'missing_in_log', 1],
    [
      'is of a format that nobody knows yet',
      [header({ version: 4 }), answer('a1', 1)],
      'format_unknown',
      1,
    ],
  ])(
    '%s: it is a fault, a note beside the total, and an exit code',
    async (_what, lines, reason, records) => {
      const found = await told(lines);
      expect(found).toMatchObject({
        codes: [1, 1, 0, 1],
        faults: [reason],
        leftOut: { files: 1, count: 1 },
        records,
      });
      expect(found.note).toHaveLength(1);
      expect(found.complained).toContain(`${sessionFileName}:`);
    },
  );

  it.each([
    ['', []],
    [
      ', whose first entries are no spend',
      Array.from({ length: 9 }, (_, index) => change(`m${index}`)),
    ],
  ])('is a file without a header or a telling name%s', async (_which, before) => {
    const found = await told([...before, answer('a1', 1), answer('a2', 2)], {
      fileName: 'notes.jsonl',
    });
    expect(found).toMatchObject({
      codes: [1, 1, 0, 1],
      faults: ['file_left_out'],
      leftOut: { files: 1, count: 1 },
      records: 0,
    });
    expect(found.note).toHaveLength(1);
  });

  function change(id: string): string {
    return JSON.stringify({
      type: 'model_change',
      id,
      parentId: null,
      timestamp: at(0),
      provider: 'p',
      modelId: 'm',
    });
  }

  function claim(timestamp: string): string {
    const details = { results: [{ id: 'A', index: 0, usage: usage(5) }] };
    const message = { role: 'toolResult', toolCallId: 'c', content: [], details };
    return JSON.stringify({ type: 'message', id: 't1', parentId: 'a1', timestamp, message });
  }

  function longUsage(): string {
    return answer('a2', 2, {
      content: 'x'.repeat(9 * 2 ** 20),
      usage: { ...usage(1), note: 'y'.repeat(5_000) },
    });
  }
});

describe('what cannot be read and holds no spend', () => {
  it.each([
    [
      'the half of a last line, which is being written',
      [header(), answer('a1', 1), answer('a2', 2).slice(0, 200)],
      '',
      'unreadable_line',
    ],
    ['a damaged header', [header().slice(0, 40), answer('a1', 1)], '\n', 'unreadable_line'],
    [
      'a line of JSON that is no entry',
      [header(), answer('a1', 1), '{"hello":1}', '[]'],
      '\n',
      'unreadable_line',
    ],
    ['blank lines', ['', header(), '', answer('a1', 1), '   '], '\n', ''],
  ])('is %s: nobody is alarmed', async (_what, lines, end, explanation) => {
    const found = await told(lines, { end });
    expect(found).toMatchObject({
      codes: [0, 0, 0, 0],
      faults: [],
      leftOut: { files: 0, count: 0 },
      records: 1,
      note: [],
    });
    expect(found.explanations).toEqual(explanation === '' ? [] : [explanation]);
  });

  it('is a file of another kind', async () => {
    expect(await told(['hello', '{"a":1}'], { fileName: 'notes.jsonl' })).toMatchObject({
      codes: [0, 0, 0, 0],
      faults: [],
      note: [],
    });
  });
});
