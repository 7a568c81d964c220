/** Whoever shows totals says that lines were not read: on the machine that read, and elsewhere. */
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { type Collector, startCollector } from '../../../collector/main.ts';
import { recordedSessions } from '../importers/support/imports.ts';
import { temporaryDirectory } from '../support/directory.ts';

const home = mkdtempSync(join(temporaryDirectory(), 'home-'));
const reading = { PI_LEDGER_HOME: home, HOME: home };
const elsewhere = mkdtempSync(join(temporaryDirectory(), 'elsewhere-'));
const sessions = mkdtempSync(join(temporaryDirectory(), 'sessions-'));
const said = '1 line in 1 session file could not be counted and may hold spend that is in no total';
let collector: Collector;
let token = '';

async function run(env: Readonly<Record<string, string>>, ...argv: string[]) {
  const printed: string[] = [];
  const code = await main(argv, {
    ...{ env, columns: 160, colour: false, now: () => new Date() },
    print: (line) => printed.push(String(line)),
    complain: (line) => printed.push(String(line)),
  });
  return { code, text: printed.join('\n') };
}

beforeAll(async () => {
  cpSync(join(recordedSessions, 'pi15'), sessions, { recursive: true });
  writeFileSync(
    join(sessions, '2026-03-01T09-00-00-000Z_cut.jsonl'),
    '{"type":"session","id":"cut","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/p"}\n' +
      '{"type":"message","id":"a1","mess\n',
  );
  expect((await run(reading, 'import', '--pi', sessions)).code).toBe(1);
  collector = await startCollector(
    { ...loadCollectorConfig(reading), port: 0, import: false },
    { logStream: null },
  );
  const made = await run(reading, 'token', 'create', '--user', 'eve', '--scope', 'read', '--json');
  token = JSON.parse(made.text).token;
});
afterAll(() => collector.stop());

describe('a line that was not read', () => {
  const onTheMachine = reading;
  const byUrl = () => ({
    PI_LEDGER_HOME: elsewhere,
    HOME: elsewhere,
    PI_LEDGER_URL: collector.url,
    PI_LEDGER_TOKEN: token,
  });

  it.each(['report', 'sessions', 'models', 'digest'])(
    'is told by %s, wherever it runs',
    async (name) => {
      for (const env of [onTheMachine, byUrl()]) {
        const { code, text } = await run(env, name);
        expect(text.replaceAll(/\s+/g, ' ')).toContain(said);
        expect(code).toBe(0);
      }
    },
  );

  it.each(['report', 'sessions', 'models'])('is a field of the JSON of %s', async (name) => {
    const { text } = await run(byUrl(), name, '--json');
    expect(JSON.parse(text)).toMatchObject({ leftOut: { files: 1, count: 1 } });
  });

  it('is a warning beside the CSV of report', async () => {
    expect((await run(onTheMachine, 'report', '--csv')).text).toContain(said);
  });

  it('is a fault to the doctor', async () => {
    const { code, text } = await run(onTheMachine, 'doctor');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`import BAD ${said}`);
    expect(code).toBe(1);
  });

  it('is in what the page and the agent ask for', async () => {
    const leftOut = { files: 1, count: 1 };
    for (const path of ['/v1/standing', '/v1/agent?day=2026-03-01&session=cut'])
      expect(await (await fetch(`${collector.url}${path}`)).json()).toMatchObject({ leftOut });
  });
});
