/** Long, early, marked and damaged lines, by import and reconcile. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine, explanationsIn, faultsIn } from '../support/command-line.ts';
import { answer, at, header, importingInto, sessionFileName, usage } from '../support/left-out.ts';

const directory = temporaryDirectory();
const told = importingInto(directory);

describe('a line as long as hosts write them', () => {
  it('is counted, and reconcile, which splits lines by itself, agrees', async () => {
    const messages = Array.from({ length: 208 }, (_, index) => [
      {
        role: 'assistant',
        usage: usage(100 + index),
        timestamp: index,
        responseId: `r${index}`,
        provider: 'p',
        model: 'm',
      },
      {
        role: 'toolResult',
        toolCallId: `c${index}`,
        content: [{ type: 'text', text: `\\"é${'x'.repeat(50_000)}` }],
      },
    ]).flat();
    const results = Array.from({ length: 8 }, (_, child) => ({
      agent: 'scout',
      messages: messages.slice(child * 52, child * 52 + 52),
    }));
    const result = {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'subagent',
      content: [],
      details: { results },
    };
    const line = JSON.stringify({
      type: 'message',
      id: 't1',
      parentId: 'a1',
      timestamp: at(2),
      message: result,
    });
    expect(line.length).toBeGreaterThan(10_000_000);
    const found = await told([header(), answer('a1', 1), line, answer('a2', 3)]);
    expect(found).toMatchObject({
      codes: [0, 0, 0, 0],
      faults: [],
      leftOut: { count: 0 },
      records: 210,
    });
  });
});

describe('a record that is more than a day ahead of the clock', () => {
  const late = answer('a2', 2).replace(at(2), '2036-01-01T00:00:00.000Z');

  it.each([
    ['beside others', [header(), answer('a1', 1), late], 1],
    ['alone', [header(), late], 0],
  ])('is named with what helps, %s: an import does not', async (_what, lines, records) => {
    const found = await told(lines);
    expect(found).toMatchObject({
      codes: [1, 1, 0, 1],
      faults: ['ahead_of_clock'],
      leftOut: { files: 1, count: 1 },
      records,
    });
    expect(found.complained).toContain(
      `${sessionFileName}:${lines.length}: 2036-01-01T00:00:00.000Z is more than a day ahead`,
    );
  });
});

describe('a byte order mark', () => {
  it('in front of a file with a name of its own is no damage', async () => {
    const found = await told([`\ufeff${header()}`, answer('a1', 1)], { fileName: 'renamed.jsonl' });
    expect(found).toMatchObject({ codes: [0, 0, 0, 0], faults: [], explanations: [], records: 1 });
  });
});

describe('a damaged line of which the live extension has told', () => {
  it('is explained: its record is in the log', async () => {
    const sessions = mkdtempSync(join(directory, 'sessions-'));
    const ledger = commandLine(directory);
    const path = join(sessions, sessionFileName);
    const lines = [header(), answer('a1', 1), answer('a2', 2)];
    writeFileSync(path, `${lines.join('\n')}\n`);
    await ledger.run('import', '--pi', sessions);
    ledger.change((database) =>
      database.exec("UPDATE events SET event = replace(event, '/importers/pi', '/producers/live')"),
    );
    writeFileSync(
      path,
      `${[header(), answer('a1', 1), answer('a2', 2).slice(0, 150)].join('\n')}\n`,
    );
    const { code, answer: found } = await ledger.reconcile('--pi', sessions);
    expect({ code, faults: faultsIn(found), explanations: explanationsIn(found) }).toEqual({
      code: 0,
      faults: [],
      explanations: ['unreadable_line'],
    });
  });
});
