/**
 * Names of every awkward character in each text that leaves: read with the strictest parser there
 * is for its format, written here, each name is found once, and no line began where none should.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import { awkwardEvents, awkwardNames } from '../support/awkward-names.ts';
import { commandLines } from '../support/command-lines.ts';
import { readCsv } from '../support/csv.ts';
import { samplesIn } from '../support/openmetrics.ts';

const commandLine = commandLines();
const names = [...new Set(awkwardNames.map((name) => name.toWellFormed()))].toSorted();
const since = ['--since', '2026-11-01'];

describe('names of every awkward character', () => {
  const { env, run, start } = commandLine();
  const home = env.PI_LEDGER_HOME ?? '';

  beforeAll(async () => {
    const ledger = await openLedger(loadCollectorConfig(env));
    expect((await ledger.ingest.accept(awkwardEvents())).rejected).toEqual([]);
    await ledger.close();
  });

  it('export-openmetrics, into a file: every line is a sample of one of them', async () => {
    const file = join(home, 'history.txt');
    expect(await run('export-openmetrics', ...since, '--output', file)).toMatchObject({ code: 0 });
    const samples = samplesIn(readFileSync(file));
    const costs = samples.filter(({ name }) => name === 'pi_cost_usd_total');
    for (const label of ['pi_project', 'gen_ai_request_model'])
      expect([...new Set(costs.map(({ labels }) => labels[label]))].toSorted()).toEqual(names);
    const cents = costs.reduce((sum, { value }) => sum + Math.round(Number(value) * 100), 0);
    expect(cents).toBe(awkwardNames.length);
    expect(new Set(samples.map(({ series, at }) => `${series} ${at}`)).size).toBe(samples.length);
  });

  it('export-openmetrics, on standard output: says that some names are others there', async () => {
    const { code, complained, printed } = await run('export-openmetrics', ...since);
    expect([code, complained]).toEqual([1, expect.stringMatching(/other names: .*--output FILE/)]);
    expect(printed).toContain('\\u0085');
    const plain = await run('export-openmetrics', '--since', '2025-01-01', '--until', '2025-01-02');
    expect(plain).toMatchObject({ code: 0 });
  });

  it.each(['text/plain', 'application/openmetrics-text; version=1.0.0'])(
    '/metrics as %s',
    async (accept) => {
      const { url } = await start();
      const answer = await fetch(`${url}/metrics`, { headers: { accept } });
      const samples = samplesIn(Buffer.from(await answer.arrayBuffer()));
      const costs = samples.filter(({ name }) => name === 'pi_cost_usd_total');
      expect([...new Set(costs.map(({ labels }) => labels.pi_project))].toSorted()).toEqual(names);
      expect(new Set(samples.map(({ series }) => series)).size).toBe(samples.length);
    },
  );

  it.each([
    ['report', ['report', '--by', 'project', '--csv'], 'project'],
    ['models', ['models', '--csv'], 'model'],
    ['FOCUS', ['export', '--focus'], 'x_Project'],
  ])('%s as CSV: a line each, whatever a reader takes for its end', async (_what, argv, column) => {
    const { code, printed } = await run(...argv, ...since);
    expect(code).toBe(0);
    const [head = [], ...rows] = readCsv(`${printed.trimEnd()}\n`);
    expect(linesAnywhere(printed.trimEnd())).toHaveLength(rows.length + 1);
    const cells = rows.map((row) => row[head.indexOf(column)] ?? '');
    expect(new Set(cells).size).toBe(names.length);
    for (const name of names.filter((each) => /^[\x20-\x7e]*$/.test(each) && !/^[=]/.test(each)))
      expect(cells).toContain(name);
  });

  it('export as NDJSON: a line each, whatever a reader takes for its end', async () => {
    const file = join(home, 'events.ndjson');
    expect(await run('export', file)).toMatchObject({ code: 0 });
    const lines = linesAnywhere(readFileSync(file, 'utf8').trimEnd());
    expect(lines).toHaveLength(awkwardEvents().length);
    const projects = lines.flatMap((line) => JSON.parse(line).event.data.project?.name ?? []);
    expect(projects.toSorted()).toEqual(awkwardNames.toSorted());
  });

  it('rows of the API as NDJSON: a line each, whatever a reader takes for its end', async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/v1/models?format=ndjson&limit=1000`);
    const lines = linesAnywhere((await answer.text()).trimEnd());
    expect(lines.map((line) => JSON.parse(line).model).toSorted()).toEqual(names);
  });
});

/** As Python's `splitlines`, which takes more for the end of a line than any other. */
function linesAnywhere(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.split(/\r\n|[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/);
}
