/** `pi-ledger models`, `tools` and `sessions show` on a demo store. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../../../collector/cli/main.ts';
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { openLedger } from '../../../../collector/main.ts';
import { exampleEvent } from '../../support/events.ts';

let home: string;

async function run(
  argv: readonly string[],
  columns: number | null = null,
  env: Record<string, string> = { PI_LEDGER_HOME: home, HOME: home },
) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await main(argv, {
    env,
    columns,
    colour: false,
    now: () => new Date('2026-11-20T12:00:00Z'),
    print: (line) => printed.push(line),
    complain: (line) => complained.push(line),
  });
  return { code, text: printed.join('\n'), complained: complained.join('\n') };
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'pi-ledger-timings-'));
  const file = join(home, 'ledger.db');
  await run(['demo', '--data-only', file, '--until', '2026-11-20', '--days', '6']);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const duration = /~\d+(\.\d)? m?s/;

describe('pi-ledger models', () => {
  it('shows cost, answers, durations and errors in 80 columns, and what is hidden', async () => {
    const { code, text } = await run(['models', '--since', '7d'], 80);
    const [first = '', head = '', row = ''] = text.split('\n');
    expect([code, first]).toEqual([
      0,
      "13 Nov to 20 Nov, each in the spender's own day · all projects · by model",
    ]);
    for (const title of ['model', 'metered', 'subscription', 'answers', 'p50', 'p95', 'errors'])
      expect(head).toContain(title);
    expect(row).toMatch(duration);
    expect(text).toMatch(/\d columns? hidden: --wide/);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('shows with --by-day how fast each was on each day, the days in words', async () => {
    const { code, text } = await run(['models', '--by-day', '--since', '7d'], 80);
    const [first = '', head = '', ...rows] = text.split('\n');
    expect([code, first]).toEqual([
      0,
      "13 Nov to 20 Nov, each in the spender's own day · all projects · by day, model",
    ]);
    expect(head).toMatch(/^day +model +answers +p50 +p95 +first +tokens\/s/);
    expect(rows[0]).toMatch(/^(today|\w{3} \d+ Nov) +demo-\w+/);
    expect(rows[0]).toMatch(duration);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const { rows: all } = JSON.parse((await run(['models', '--by-day', '--json'])).text);
    const { total } = JSON.parse((await run(['models', '--json'])).text);
    const answers = all.reduce((sum: number, row: { answers: number }) => sum + row.answers, 0);
    expect(answers).toBe(total.answers);
    const csv = await run(['models', '--by-day', '--csv']);
    expect(csv.text).toMatch(/^day,provider,model,answers,/);
    expect((await run(['models', '--by-day', '--unpriced'])).code).toBe(2);
    expect((await run(['models', '--by-day', '--model', 'nope'])).complained).toContain(
      '--model: nope was never seen.',
    );
  });

  it('shows speed, errors by status, retries and the cost of output with --wide', async () => {
    const { text } = await run(['models', '--wide'], 80);
    for (const title of ['first', 'tokens/s', 'retries', 'failed by status', 'metered/1k out'])
      expect(text.split('\n')[1]).toContain(title);
    expect(text).toMatch(/529 ×\d/);
  });

  it('counts answers that failed apart from responses that were errors', async () => {
    const { total } = JSON.parse((await run(['models', '--json'])).text);
    const counts = (name: 'failedAnswers' | 'errorResponses') => {
      const counted = total.statuses.filter((each: Record<string, number>) => each[name] !== 0);
      return counted.map((each: Record<string, number>) => [each.status ?? 'unknown', each[name]]);
    };
    const { text } = await run(['models', '--wide'], 80);
    const [failed, responses] = ['failed by status', 'HTTP errors'].map((title) => {
      const [, heads = '', ...lines] = text.split('\n');
      const last = lines.filter((line) => line.startsWith('total')).at(-1) ?? '';
      const [cell = ''] = last.slice(heads.indexOf(title)).split(/ {2,}/);
      return cell.split(', ').map((each) => each.split(' ×'));
    });
    expect(failed).toEqual(counts('failedAnswers').map((each: unknown[]) => each.map(String)));
    expect(responses).toEqual(counts('errorResponses').map((each: unknown[]) => each.map(String)));
    expect(failed).not.toEqual(responses);
  });

  it('lists models without a price, with what can be done', async () => {
    const { code, text } = await run(['models', '--unpriced']);
    expect([code, text]).toEqual([0, expect.stringContaining('1 model without a price')]);
    expect(text).toContain('demo-local-30b');
    expect(text).not.toContain('demo-large');
    expect(text).toContain("set the model's cost");
    expect((await run(['models', '--unpriced', '--csv'])).code).toBe(2);
    const priced = await run(['models', '--unpriced', '--model', 'demo-large']);
    expect(priced.text).toContain('Every record has a price.');
  });

  it('has in JSON what the API says, and the money of every report', async () => {
    const { rows, total } = JSON.parse((await run(['models', '--json'])).text);
    const report = JSON.parse((await run(['report', '--by', 'model', '--json'])).text);
    expect(rows).toHaveLength(report.rows.length);
    const { cache: _, ...spent } = report.total;
    expect(total).toMatchObject(spent);
    expect(rows[0].durationP50).toMatchObject({ is: 'interpolated' });
  });

  it('says what is wrong with an hour, and that nothing is there', async () => {
    expect(await run(['models', '--since', '24h'])).toMatchObject({
      code: 2,
      complained: expect.stringContaining('since: must be a day'),
    });
    expect(await run(['tools', '--project', 'none'])).toMatchObject({
      code: 2,
      complained: expect.stringContaining('none was never seen'),
    });
  });
});

describe('pi-ledger tools', () => {
  it('shows calls, failures, durations and estimated tokens of results', async () => {
    const { code, text } = await run(['tools'], 80);
    const [first, head, row = ''] = text.split('\n');
    expect([code, first]).toEqual([0, expect.stringContaining('by tool')]);
    for (const title of ['tool', 'calls', 'failed', 'p50', 'p95', 'result tokens', 'files named'])
      expect(head).toContain(title);
    expect(row).toMatch(duration);
    expect(row).toMatch(/~\d+(\.\d+)?[kM]/);
    expect(text).toMatch(/^total /m);
  });

  it('shows with --by-model what each model asked for, and what it cost', async () => {
    const { code, text } = await run(['tools', '--by-model', '--since', '7d'], 80);
    const [first, head = '', row = ''] = text.split('\n');
    expect([code, first]).toEqual([0, expect.stringContaining('by tool, model')]);
    expect(head).toMatch(/^tool +model +metered +subscription +calls +tokens/);
    expect(row).toMatch(/^\w+ +demo-\w+ +\$\d+\.\d\d/);
    expect(text).toMatch(/^\w+ +demo-local-30b +n\/a/m);
    expect(text).toMatch(/^total .*≥ \$/m);
    expect(text).toContain('shared equally among the calls');
    expect(text).toMatch(/≥ +[\d,]+ calls of answers without a price/);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const { rows, total } = JSON.parse((await run(['tools', '--by-model', '--json'])).text);
    const calls = rows.reduce((sum: number, each: { calls: number }) => sum + each.calls, 0);
    expect(calls).toBe(total.calls);
    expect((await run(['tools', '--by-model', '--csv'])).text).toMatch(/^tool,provider,model,/);
    const one = await run(['tools', '--by-model', '--model', 'demo-fast', '--json']);
    expect(new Set(JSON.parse(one.text).rows.map(({ model }: { model: string }) => model))).toEqual(
      new Set(['demo-fast']),
    );
    expect(await run(['tools', '--model', 'demo-fast'])).toMatchObject({
      code: 2,
      complained: expect.stringContaining('--model: only with --costs or --by-model'),
    });
  });

  it('shows with --costs what each tool cost over all models', async () => {
    const { code, text } = await run(['tools', '--costs', '--since', '7d'], 80);
    const [first, head = '', row = ''] = text.split('\n');
    expect([code, first]).toEqual([0, expect.stringContaining('by tool')]);
    expect(head).toMatch(/^tool +metered +subscription +calls +tokens +last used$/);
    expect(row).toMatch(/^\w+ +≥ \$\d+\.\d\d/);
    expect(text).toContain('shared equally among the calls');
    const answerOf = async (option: string) =>
      JSON.parse((await run(['tools', option, '--model', 'demo-fast', '--json'])).text);
    const { rows, total } = await answerOf('--costs');
    expect(rows.length).toBeGreaterThan(1);
    expect(total).toEqual((await answerOf('--by-model')).total);
    expect(await run(['tools', '--costs', '--by-model'])).toMatchObject({
      code: 2,
      complained: expect.stringContaining('--costs: not with --by-model'),
    });
  });

  it('says that none was called where there was other work', async () => {
    const elsewhere = join(home, 'elsewhere');
    const env = { PI_LEDGER_HOME: elsewhere, HOME: elsewhere };
    mkdirSync(elsewhere);
    const ledger = await openLedger(loadCollectorConfig(env));
    await ledger.ingest.accept([exampleEvent({ number: 1 })]);
    await ledger.close();
    expect((await run(['tools'], null, env)).text).toContain('No tool was called.');
  });

  it('prints CSV and JSON', async () => {
    const { text } = await run(['tools', '--csv']);
    expect(text.split(/\r?\n/)[0]).toMatch(/^tool,calls,failures,/);
    const { rows, total } = JSON.parse((await run(['tools', '--json'])).text);
    const calls = rows.reduce((sum: number, row: { calls: number }) => sum + row.calls, 0);
    expect(calls).toBe(total.calls);
  });
});

describe('pi-ledger sessions show', () => {
  const shown = async (id: string, columns: number | null = 80) =>
    (await run(['sessions', 'show', id], columns)).text;

  /** It has runs, unlike one that an import brought. */
  const busySession = async () => {
    const { rows } = JSON.parse((await run(['sessions', '--limit', '50', '--json'])).text);
    const details = await Promise.all(
      rows.map(async ({ id }: { id: string }) =>
        JSON.parse((await run(['sessions', 'show', id, '--json'])).text),
      ),
    );
    return details.find(({ runs, prompts }) => runs.length > 0 && prompts > 1);
  };

  it('shows whose it is, what it spent, its runs and its tools with durations', async () => {
    const busy = await busySession();
    const text = await shown(busy.id.slice(0, 18));
    expect(text.split('\n')[0]).toBe(`session ${busy.id}`);
    expect(text).toContain(`  project       ${busy.project}`);
    expect(text).toMatch(/^spent +metered +subscription +tokens/m);
    expect(text).toMatch(/^run ended +took +outcome +turns +tool calls/m);
    expect(text).toMatch(/^.*\d+:\d\d min +(completed|failed|aborted|cut off)/m);
    expect(text).toMatch(/^tool +calls +failed +p50 +p95 +result tokens/m);
    expect(text).toMatch(duration);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('says when in the words of a terminal, and in full to a program', async () => {
    const { id } = await busySession();
    const moment = String.raw`(today|\w{3} \d+ Nov) \d\d:\d\d`;
    expect(await shown(id)).toMatch(new RegExp(`^  time {10}${moment} to ${moment}$`, 'm'));
    const day = String.raw`2026-11-\d\d \d\d:\d\d`;
    expect(await shown(id, null)).toMatch(new RegExp(`^  time {10}${day} to ${day}$`, 'm'));
  });

  it('knows the newest as last, and says when there is none', async () => {
    expect(await shown('last')).toMatch(/^session 01/);
    expect(await run(['sessions', 'show', 'none'])).toMatchObject({
      code: 1,
      complained: expect.stringContaining('No such session'),
    });
  });

  it('has in JSON each run with its end, its duration and its outcome', async () => {
    const { id } = await busySession();
    const { runs, runsTotal } = JSON.parse((await run(['sessions', 'show', id, '--json'])).text);
    expect(runs).toHaveLength(runsTotal);
    expect(runs[0]).toMatchObject({
      endedAt: expect.stringMatching(/Z$/),
      durationMs: expect.any(Number),
      outcome: expect.any(String),
    });
  });
});
