/** Rules of docs/accounting.md that concern the whole way from a session file to a report. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine } from './reconcile/support/command-line.ts';
import { corpusDirectory } from './reconcile/support/corpus.ts';
import { temporaryDirectory } from './support/directory.ts';

const directory = temporaryDirectory();

interface Turn {
  readonly time: string;
  readonly data: { readonly spend: Readonly<Record<string, unknown>> };
}

/** The turns that an import of these session files puts into the log. */
async function importedTurns(
  sessions: string,
): Promise<{ turns: readonly Turn[]; report(by: string): Promise<Record<string, unknown>[]> }> {
  const ledger = commandLine(directory);
  expect(await ledger.run('import', '--pi', sessions)).toMatchObject({ code: 0 });
  const turns: Turn[] = [];
  ledger.change((database) => {
    const rows = database
      .prepare("SELECT event FROM events WHERE event LIKE '%pi.turn.completed%' ORDER BY position")
      .all();
    turns.push(...rows.map((row) => JSON.parse((row as { event: string }).event) as Turn));
  });
  return {
    turns,
    report: async (by) =>
      (
        JSON.parse((await ledger.run('report', '--by', by, '--json')).printed) as {
          rows: Record<string, unknown>[];
        }
      ).rows,
  };
}

function sessionWith(message: object): string {
  const sessions = mkdtempSync(join(directory, 'session-'));
  const timestamp = '2026-03-01T23:30:00.000Z';
  const lines = [
    { type: 'session', version: 3, id: 's', timestamp, cwd: '/p' },
    {
      type: 'message',
      id: 'a',
      parentId: null,
      timestamp,
      message: { role: 'assistant', ...message },
    },
  ];
  writeFileSync(
    join(sessions, '2026-03-01T23-30-00-000Z_s.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  return sessions;
}

const usage = {
  input: 1,
  output: 2,
  cacheRead: 3,
  cacheWrite: 4,
  totalTokens: 10,
  cost: { total: 0.5 },
};

describe('the ledger', () => {
  it('keeps the raw usage object with the event, verbatim', async () => {
    for (const name of [
      'plain-pi073',
      'plain-pi15',
      'plain-omp18',
      'cache-1h',
      'reasoning-omp18',
    ]) {
      const sessions = join(corpusDirectory, 'cases', name);
      const [file = ''] = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter(
        (path) => path.endsWith('.jsonl'),
      );
      const lines = readFileSync(join(sessions, file), 'utf8').trim().split('\n');
      const written = lines
        .map((line) => JSON.parse(line).message)
        .filter((message) => message?.role === 'assistant');
      const { turns } = await importedTurns(sessions);
      expect(turns.map(({ data }) => data.spend.rawUsage)).toEqual(
        written.map((message) => message.usage),
      );
    }
  });

  it('keeps the model that answered beside the one that was asked for', async () => {
    const { turns } = await importedTurns(
      sessionWith({ provider: 'router', model: 'asked', responseModel: 'answered', usage }),
    );
    expect(turns[0]?.data.spend).toMatchObject({ model: 'asked', responseModel: 'answered' });
  });

  it('places imported spend at its own time, never at the time of the import', async () => {
    const { turns, report } = await importedTurns(
      sessionWith({ provider: 'p', model: 'm', usage }),
    );
    expect(turns[0]?.time).toBe('2026-03-01T23:30:00.000Z');
    expect((await report('day'))[0]?.day).toMatch(/^2026-03-0[12]$/);
  });

  it('counts input without cache, beside what the cache gave and took', async () => {
    const { report } = await importedTurns(sessionWith({ provider: 'p', model: 'm', usage }));
    expect((await report('project'))[0]).toMatchObject({
      inputTokens: 1,
      cacheReadTokens: 3,
      cacheWriteTokens: 4,
      outputTokens: 2,
    });
  });
});
