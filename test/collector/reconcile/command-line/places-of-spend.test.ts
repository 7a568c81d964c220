/**
 * Spend that hosts and packages write in places of their own: what a provider spends around an
 * answer, what tools say in their details, and what extensions say, or do not say, of their own
 * calls.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { type CommandLine, commandLine } from '../support/command-line.ts';
import { outcome } from '../support/outcome.ts';

const directory = temporaryDirectory();
const data = join(import.meta.dirname, '../../../extension/data/packages');
const id = '019b0000-0000-7000-8000-000000000001';
const at = (second: number) => `2026-05-05T09:00:0${second}.000Z`;

/** A directory with one session of these entries; `asked` is an answer that called a tool. */
function sessionOf(...entries: readonly object[]): string {
  const sessions = join(mkdtempSync(join(directory, 'host-')), 'sessions');
  mkdirSync(sessions);
  const lines = [
    { type: 'session', version: 3, id, timestamp: at(0), cwd: '/srv/shop' },
    ...entries,
  ];
  writeFileSync(
    join(sessions, `2026-05-05T09-00-00-000Z_${id}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  return sessions;
}

const message = (entryId: string, parentId: string | null, second: number, said: object) => ({
  type: 'message',
  id: entryId,
  parentId,
  timestamp: at(second),
  message: said,
});

const answer = (usage: object) => ({
  role: 'assistant',
  content: [{ type: 'toolCall', id: 'call_1', name: 'ask', arguments: {} }],
  provider: 'xai',
  model: 'grok',
  usage,
  stopReason: 'toolUse',
  responseId: 'r1',
});

const usage = { input: 100, output: 10, cacheRead: 50, cacheWrite: 0, totalTokens: 160 };
const asked = message('aaaa0001', null, 1, answer({ ...usage, cost: { total: 0.001 } }));
const result = (said: object) =>
  message('aaaa0002', 'aaaa0001', 2, { role: 'toolResult', toolCallId: 'call_1', ...said });

/** A package's recording, a week before: its days are still to come for the command line. */
function recordingOf(name: string, change: (text: string) => string = (text) => text): string {
  const recorded = join(data, name);
  const sessions = mkdtempSync(join(directory, 'host-'));
  const earlier = (text: string) => text.replaceAll('2026-11-27T', '2026-11-20T');
  for (const file of readdirSync(recorded))
    writeFileSync(
      join(sessions, earlier(file)),
      change(earlier(readFileSync(join(recorded, file), 'utf8'))),
    );
  return sessions;
}

async function reportOf(ledger: CommandLine, by = 'kind') {
  return JSON.parse((await ledger.run('report', '--by', by, '--json')).printed);
}

describe('what a provider spends around an answer', () => {
  const orchestration = { input: 1_000, output: 200, cacheRead: 300 };
  const cost = {
    input: 0.0011,
    output: 0.00021,
    cacheRead: 0.000035,
    cacheWrite: 0,
    total: 0.001345,
  };
  const billed = { ...usage, totalTokens: 1_660, orchestration, cost };

  test('is in the counts of tokens, and equal prices give the same amount', async () => {
    const omp = sessionOf(message('aaaa0001', null, 1, answer(billed)));
    const ledger = commandLine(directory);
    expect(await ledger.run('import', '--omp', omp)).toMatchObject({ code: 0 });
    const { total } = await reportOf(ledger);
    expect(total).toMatchObject({ inputTokens: 1_100, outputTokens: 210, cacheReadTokens: 350 });
    expect(await outcome(ledger, '--omp', omp)).toEqual({ code: 0, explained: [], faults: [] });
    const catalog = join(directory, 'catalog.json');
    const models = { grok: { id: 'grok', cost: { input: 1, output: 1, cache_read: 0.1 } } };
    writeFileSync(catalog, JSON.stringify({ xai: { id: 'xai', models } }));
    const { printed } = await ledger.run('reprice', '--catalog', catalog, '--json');
    expect(JSON.stringify(JSON.parse(printed))).toContain('"1345000"');
    expect(JSON.stringify(JSON.parse(printed))).not.toContain('"115000"');
  });

  test('is in those of events that an earlier version recorded', async () => {
    const omp = sessionOf(message('aaaa0001', null, 1, answer(billed)));
    const ledger = commandLine(directory);
    await ledger.run('import', '--omp', omp);
    ledger.change((database) => {
      const rows = database.prepare('SELECT position, event FROM events').all() as {
        position: number;
        event: string;
      }[];
      for (const { position, event } of rows) {
        const said = JSON.parse(String(event));
        if (said.type !== 'pi.turn.completed.v1') continue;
        const { orchestration: _, ...spend } = said.data.spend;
        said.data.spend = { ...spend, inputTokens: 100, outputTokens: 10, cacheReadTokens: 50 };
        database
          .prepare('UPDATE events SET event = ? WHERE position = ?')
          .run(JSON.stringify(said), position);
      }
    });
    await ledger.run('rebuild', 'sessions');
    const { total } = await reportOf(ledger);
    expect(total).toMatchObject({ inputTokens: 1_100, outputTokens: 210, cacheReadTokens: 350 });
    expect(await outcome(ledger, '--omp', omp)).toEqual({ code: 0, explained: [], faults: [] });
  });
});

describe('what a tool says in its details', () => {
  test.each([
    [
      'generate_image',
      { provider: 'openai', model: 'gpt-image', usage: { input_tokens: 30, output_tokens: 7 } },
      { provider: 'openai', model: 'gpt-image', inputTokens: 30, outputTokens: 7 },
    ],
    [
      '_generate_image',
      {
        provider: 'gemini',
        model: 'nano',
        usage: { promptTokenCount: 30, candidatesTokenCount: 7, totalTokenCount: 37 },
      },
      { provider: 'gemini', model: 'nano', inputTokens: 30, outputTokens: 7 },
    ],
    [
      'web_search',
      {
        response: {
          provider: 'anthropic',
          model: 'haiku',
          usage: { inputTokens: 30, outputTokens: 7 },
        },
      },
      { provider: 'anthropic', model: 'haiku', inputTokens: 30, outputTokens: 7 },
    ],
    [
      'web_search',
      { response: { usage: { inputTokens: 30, outputTokens: 7 } } },
      { provider: 'xai', model: null, inputTokens: 30, outputTokens: 7 },
    ],
  ])('counts as spend of the tool: %s', async (toolName, details, row) => {
    const omp = sessionOf(asked, result({ toolName, details }));
    const ledger = commandLine(directory);
    expect(await ledger.run('import', '--omp', omp)).toMatchObject({ code: 0, complained: '' });
    const { rows } = await reportOf(ledger, 'kind,provider,model');
    expect(rows).toContainEqual(
      expect.objectContaining({ kind: 'tool', records: 1, unpricedRecords: 1, ...row }),
    );
    expect(await outcome(ledger, '--omp', omp)).toEqual({ code: 0, explained: [], faults: [] });
  });

  test('is listed where nobody knows what it means', async () => {
    const details = { trace: [{ usage: { input: 5, output: 1 } }] };
    const omp = sessionOf(asked, result({ toolName: 'ask', details }));
    const { printed, complained } = await commandLine(directory).run('import', '--omp', omp);
    expect(printed + complained).toContain('unknown usage at /message/details/trace/0/usage');
  });
});

describe('what a tool spent of its own', () => {
  const spent = { ...usage, cost: { total: 0.002 } };

  test.each([
    ['the turn that asked', {}, 'xai', null],
    ['its result', { results: [{ model: 'openai/gpt:low' }] }, 'openai', 'gpt'],
    ['its details', { provider: 'openai', model: 'gpt' }, 'openai', 'gpt'],
    [
      'the turn, where several are named',
      { results: [{ model: 'openai/gpt' }, { model: 'google/pro' }] },
      'xai',
      null,
    ],
  ])('belongs to the provider of %s', async (_whose, details, provider, model) => {
    const pi = sessionOf(asked, result({ toolName: 'ask', details, usage: spent }));
    const ledger = commandLine(directory, { billing: { [provider]: 'metered' } });
    await ledger.run('import', '--pi', pi);
    const { rows } = await reportOf(ledger, 'kind,provider,model');
    expect(rows).toContainEqual(
      expect.objectContaining({ kind: 'tool', provider, model, meteredNanoUsd: '2000000' }),
    );
    expect(await outcome(ledger, '--pi', pi)).toMatchObject({ code: 0, faults: [] });
  });
});

describe('what extensions spend by themselves', () => {
  test('counts what is said of a side question, as a lower bound', async () => {
    const ledger = commandLine(directory);
    const pi = recordingOf('pi-btw-0.4.1');
    expect(await ledger.run('import', '--pi', pi)).toMatchObject({ code: 0, complained: '' });
    const { rows } = await reportOf(ledger, 'kind,provider,model');
    expect(rows).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'custom', provider: 'fake-openai', model: 'fake-gpt', records: 1 },
        unknownBillingNanoUsd: '3631500',
      }),
    );
    expect(await outcome(ledger, '--pi', pi)).toEqual({
      ...{ code: 0, explained: ['lower_bound'], faults: [] },
    });
    const { printed } = await ledger.run('report');
    expect(printed).toMatch(/shop .* ≥ \$0\.0332/);
    const byKind = (await ledger.run('report', '--by', 'kind')).printed;
    expect(byKind).toMatch(/custom .*≥ \$0\.0036/);
    expect(byKind).toMatch(/turn .* \$0\.0295/);
    expect(printed).toContain('1 record of extensions');
    const listed = (await ledger.run('sessions')).printed;
    expect(listed).toMatch(/shop .* ≥ \$0\.0332/);
    expect(listed).toContain('1 record of extensions');
  });

  test('names a summary of which nobody says what it cost', async () => {
    const ledger = commandLine(directory);
    const pi = recordingOf('pi-agentic-compaction-0.4.0');
    await ledger.run('import', '--pi', pi);
    const { rows } = await reportOf(ledger);
    expect(rows).toContainEqual(
      expect.objectContaining({ kind: 'compaction', records: 1, unreportedRecords: 1 }),
    );
    expect(await outcome(ledger, '--pi', pi)).toEqual({
      ...{ code: 0, explained: ['summary_cost_unknown'], faults: [] },
    });
    expect((await ledger.run('report')).printed).toContain(
      'by an extension; the cost is not known',
    );
    expect((await ledger.run('reconcile', '--pi', pi)).printed).toContain(
      'Summarised by an extension; its cost is not known',
    );
  });

  test('says nothing of a summary that the host made', async () => {
    const sessions = recordingOf('pi-agentic-compaction-0.4.0', (text) =>
      text.replace('"fromHook":true', '"fromHook":false'),
    );
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', sessions);
    expect((await reportOf(ledger)).total).toMatchObject({ unreportedRecords: 0 });
    expect(await outcome(ledger, '--pi', sessions)).toMatchObject({ code: 0, explained: [] });
  });
});
