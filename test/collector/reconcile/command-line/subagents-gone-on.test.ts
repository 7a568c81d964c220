/** Subagents that went on after the tool result that says what they spent. */
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine } from '../support/command-line.ts';
import { outcome } from '../support/outcome.ts';
import { filesBelow, packageCases, rightTotals } from '../support/package-corpus.ts';
import {
  delegating,
  explained,
  ledgersOf,
  placeBelow,
  spent,
  working,
} from '../support/subagent-family.ts';

const directory = temporaryDirectory();

describe('what a subagent spends after its result', () => {
  it('hides nothing of another one whose session is gone: pi-subagents 0.67', async () => {
    const recorded = packageCases().find(({ name }) => name.endsWith('/workflow087'));
    const { home = '' } = recorded ?? {};
    const copied = mkdtempSync(join(directory, 'workflow-'));
    cpSync(home, copied, { recursive: true });
    const [scout = '', reviewer = ''] = ['ae47cf1c', '0b709295'].map((run) =>
      filesBelow(copied, '.jsonl').find(
        (path) => path.includes(`/${run}`) && path.includes('run-0'),
      ),
    );
    rmSync(reviewer);
    appendAnswer(scout);
    const ledger = commandLine(directory, {}, copied, new Date('2026-11-29T12:00:00Z'));
    const where = ['--pi', join(copied, '.pi/agent/sessions')];
    await ledger.run('import', ...where);
    const { total } = JSON.parse((await ledger.run('report', '--json')).printed);
    const right = rightTotals(recorded ?? expect.fail('no recording'), 'import');
    expect(total).toMatchObject({
      inputTokens: right.inputTokens + 5_000,
      outputTokens: right.outputTokens + 500,
    });
    expect(await outcome(ledger, ...where)).toMatchObject({ code: 0, faults: [] });
  });

  it.each([
    ['each with its sum', [spent(40), spent(60)]],
    ['with one sum for both', [undefined, undefined]],
  ])('hides nothing of another one whose session is gone, named %s', async (_how, sums) => {
    const [here, gone] = sums;
    const parent = delegating(
      [
        ['a', 2, 1],
        ['b', 60, 2],
      ],
      [
        {
          id: 'c1',
          turn: 'a',
          second: 30,
          usage: spent(40, 60),
          details: {
            results: [
              { agent: 'scout', sessionId: 'here', usage: here },
              { agent: 'critic', sessionId: 'gone', usage: gone },
            ],
          },
        },
      ],
    );
    const child = working('here', 5, [
      [10, 40],
      [30 * 60, 500],
    ]);
    expect(await ledgersOf(directory, [[parent], [child, placeBelow(parent, 'r')]])).toEqual(
      explained(603),
    );
  });

  it('hides nothing of what the details alone say of another one', async () => {
    const results = [
      { session: { id: 'here' }, usage: spent(40) },
      { session: { id: 'gone' }, usage: spent(60) },
    ];
    const parent = delegating(
      [['a', 2, 1]],
      [{ id: 'c1', turn: 'a', second: 30, details: { results } }],
    );
    const child = working('here', 5, [
      [10, 40],
      [31, 500],
    ]);
    expect(await ledgersOf(directory, [[parent], [child]])).toEqual(explained(601));
  });

  it('hides nothing of what the tool spent itself', async () => {
    const parent = delegating(
      [['a', 2, 1]],
      [
        {
          id: 'c1',
          turn: 'a',
          second: 30,
          usage: spent(40, 7),
          details: { results: [{ sessionId: 'here', usage: spent(40) }] },
        },
      ],
    );
    const child = working('here', 5, [
      [10, 40],
      [31, 500],
    ]);
    expect(await ledgersOf(directory, [[parent], [child]])).toEqual(explained(548));
  });

  it('is what a later result says of it', async () => {
    const details = { results: [{ sessionId: 'here' }] };
    const parent = delegating(
      [
        ['a', 2, 1],
        ['b', 60, 2],
      ],
      [
        { id: 'c1', turn: 'a', second: 30, usage: spent(40), details },
        { id: 'c2', turn: 'b', second: 90, usage: spent(500), details },
      ],
    );
    const child = working('here', 5, [
      [10, 40],
      [70, 500],
    ]);
    expect(await ledgersOf(directory, [[parent], [child]])).toEqual(explained(543));
  });
});

function appendAnswer(path: string): void {
  const last = JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '');
  const usage = { input: 5_000, output: 500, cacheRead: 20_000, cacheWrite: 0 };
  const message = { role: 'assistant', content: [], provider: 'fake-openai', usage };
  const timestamp = new Date(Date.parse(last.timestamp) + 3_600_000).toISOString();
  const entry = { type: 'message', id: 'aa00bb02', parentId: last.id, timestamp, message };
  appendFileSync(path, `${JSON.stringify(entry)}\n`);
}
