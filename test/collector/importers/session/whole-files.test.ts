/** Session files as a whole: headers, foreign files, and continued reading. */
import { describe, expect, it } from 'vitest';
import type { SessionBookmark } from '../../../../collector/importers/session/reader-state.ts';
import { answer, append, toolResult, usage } from '../../../extension/support/fake-session.ts';
import { linesOfSession } from '../support/files.ts';
import { file, header, prompt, read, startMs, story, telling, turn } from '../support/read.ts';

describe('a header', () => {
  it.each([
    ['1', 0],
    ['3', 0],
    ['4', 1],
    ['0', 1],
    ['null', 0],
  ])('of format version %s has %i issues, and its entries count', (version, count) => {
    const { issues, turns } = read(
      file(header.replace('"version":3', `"version":${version}`), turn),
    );
    const message = `format version ${version}, expected at most 3: read anyway`;
    expect(issues).toEqual(
      count === 0 ? [] : [{ code: 'version_unknown', line: 1, message, mayHoldSpend: true }],
    );
    expect(turns).toBe(1);
  });

  it('that is lost is made up from the name of the file, which starts no session', () => {
    const { issues, events } = read(file(prompt, turn), { path: telling });
    expect(issues).toEqual([
      {
        code: 'no_header',
        line: 1,
        message:
          'expected {"type":"session","id":...,"timestamp":...} before the first entry: ' +
          'the file name gives session and time',
        mayHoldSpend: false,
      },
    ]);
    expect(events.map(({ type }) => type)).not.toContain('pi.session.started.v1');
    expect(
      events.filter(({ type }) => type === 'pi.turn.completed.v1').map(({ subject }) => subject),
    ).toEqual(['s1']);
  });

  it('that is lost, without a telling file name, ends the reading', () => {
    const { issues, events, answers, reading } = read(file(prompt, turn));
    expect(answers).toEqual(['give up']);
    expect(issues).toEqual([
      {
        code: 'no_header',
        line: 1,
        message: expect.stringMatching(/first entry: the file is left out$/),
        mayHoldSpend: true,
      },
    ]);
    expect(events).toEqual([]);
    expect(reading.result()).toBeNull();
  });

  it('that is damaged holds no spend, if it is first and mentions no usage', () => {
    const spends = (...lines: readonly string[]) =>
      read(file(...lines, turn), { path: telling })
        .issues.filter(({ code }) => code === 'not_json')
        .map(({ mayHoldSpend }) => mayHoldSpend);
    expect(spends('{"type":"session"')).toEqual([false]);
    expect(spends('{"usage"')).toEqual([true]);
    expect(spends('{"type":"session"', '{"type":')).toEqual([false, true]);
    expect(spends(header, '{"type":')).toEqual([true]);
  });
});

describe('a file of another kind', () => {
  const leftOut = (mayHoldSpend: boolean) => [
    {
      code: 'no_header',
      line: null,
      message: 'the first lines hold no session header and no entry: the file is left out',
      mayHoldSpend,
    },
  ];

  it.each([
    ['{"a":1}', false],
    ['oops', false],
    ['{"usage":{"input":1}}', true],
    ['["usage"', true],
    [Buffer.from('{"usage"', 'utf16le').toString('latin1'), true],
  ])(
    'is said to be one by one issue, which may hold spend where a line speaks of it: %s',
    (line, mayHoldSpend) => {
      expect(read(file('1', line, '2')).issues).toEqual(leftOut(mayHoldSpend));
      expect(read(file(line)).issues).toEqual(leftOut(mayHoldSpend));
    },
  );

  it.each(['1', 'oops'])('is given up at its twentieth line: %s', (line) => {
    const { answers, issues } = read(file(...Array.from({ length: 30 }, () => line)));
    expect(answers).toHaveLength(20);
    expect(answers.at(-1)).toBe('give up');
    expect(issues).toEqual(leftOut(false));
  });

  it('is not what begins with a header, whatever comes then', () => {
    const { answers, issues, turns } = read(
      file(header, ...Array.from({ length: 30 }, () => '1'), ...Array(30).fill('oops'), turn),
    );
    expect(new Set(answers)).toEqual(new Set(['next']));
    expect(new Set(issues.map(({ code }) => code))).toEqual(new Set(['not_an_entry', 'not_json']));
    expect(turns).toBe(1);
  });

  it('is one of nothing but a title too, and one of blanks is an empty one', () => {
    expect(read(file('{"type":"title"}')).issues).toEqual(leftOut(false));
    expect(read(file(' ')).issues).toEqual([]);
  });

  it('is said to be one beside what was wrong in front of its first entry, once', () => {
    expect(read(file('oops', prompt, turn)).issues.map(({ code, line }) => [code, line])).toEqual([
      ['not_json', 1],
      ['no_header', 2],
    ]);
  });

  it('is no empty one', () => {
    expect(read('')).toMatchObject({
      issues: [],
      events: [],
      reading: { bytes: 0, position: { offset: 0, lines: 0 } },
    });
  });
});

describe('a file that is gone on with', () => {
  function bookmark(...lines: readonly string[]): SessionBookmark {
    const { reading } = read(file(...lines));
    return { ...reading.position, ...reading.result(), proof: 'p' } as SessionBookmark;
  }

  it('says what it would have said, and no word of what was read', () => {
    const from = bookmark(header, prompt);
    expect(from).toMatchObject({ lines: 2, header: { id: 's1' } });
    const { events, issues, reading } = read(file(turn), {
      from,
      offset: from.offset,
      linesBefore: from.lines,
    });
    const whole = read(file(header, prompt, turn)).events;
    expect(events).toEqual(whole.slice(-events.length));
    expect(events.some(({ type }) => type === 'pi.session.started.v1')).toBe(false);
    expect(issues).toEqual([]);
    expect(reading.position).toEqual({ offset: file(header, prompt, turn).length, lines: 3 });
  });

  it('may have nothing but its header yet', () => {
    const from = bookmark(header);
    const { events } = read(file(prompt, turn), {
      from,
      offset: from.offset,
      linesBefore: from.lines,
    });
    expect(events).toEqual(read(file(header, prompt, turn)).events.slice(-events.length));
    expect(events.length).toBeGreaterThan(1);
  });

  it('begins again where an entry hangs below one that was read long before', () => {
    const from = bookmark(header, turn);
    const branch = turn
      .replace('"id":"a1"', '"id":"a2"')
      .replace('"parentId":"u1"', '"parentId":"long-ago"');
    const { answers, reading } = read(file(branch), {
      from,
      offset: from.offset,
      linesBefore: from.lines,
    });
    expect(answers).toEqual(['again']);
    expect(reading.position).toEqual({ offset: from.offset, lines: from.lines });
  });

  it('hangs entries of format v1 below the one in front', () => {
    const unnamed = (line: string) => line.replace(/"id":"\w+","parentId":(null|"\w+"),/, '');
    const lines = [header, unnamed(prompt), unnamed(turn)];
    const from = bookmark(...lines.slice(0, 2));
    const { events } = read(file(lines[2] ?? ''), {
      from,
      offset: from.offset,
      linesBefore: from.lines,
    });
    expect(events.map(({ data }) => data)).toEqual(
      read(file(...lines))
        .events.slice(-events.length)
        .map(({ data }) => data),
    );
    expect(events.length).toBeGreaterThan(0);
  });
});

it('claims what tool results repeat of subagents, by answer', () => {
  const messages = [1, 2].map((index) => ({
    ...answer(`sub${index}`).message,
    timestamp: startMs + index,
    usage: usage(index),
  }));
  const session = story();
  append(
    session,
    't1',
    startMs + 3_000,
    toolResult('c1', 'subagent', false, { results: [{ agent: 'scout', messages }] }),
  );
  const { reading, events } = read(file(...linesOfSession(session)));
  const claimed = events.filter(({ type }) => type === 'pi.subagent.claimed.v1');
  expect(reading.claims).toEqual(
    claimed.map(({ id }) => ({
      key: expect.stringMatching(/^response:[0-9a-f]{16}$/),
      claimId: id,
      holder: 's1',
      sessionId: 's1',
      turnEntryId: 'a1',
      turnAt: '2026-11-20T09:00:02.000Z',
      time: '2026-11-20T09:00:03.000Z',
    })),
  );
  expect(claimed).toHaveLength(2);
});

it('names the importer as the source of its events', () => {
  expect(new Set(read(file(header, turn)).events.map(({ source }) => source))).toEqual(
    new Set(['/importers/pi']),
  );
  expect(
    new Set(read(file(header, turn), { importer: 'omp' }).events.map(({ source }) => source)),
  ).toEqual(new Set(['/importers/omp']));
});
