/** What tables say of names that are not in them. */
import { expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { loadCollectorConfig } from '../../../collector/config/config.ts';
import { openLedger } from '../../../collector/main.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { sessionsOfNames } from '../support/many-names.ts';

const home = temporaryDirectory();

async function run(...argv: readonly string[]): Promise<string> {
  const printed: string[] = [];
  await main(argv, {
    env: { PI_LEDGER_HOME: home, HOME: home },
    columns: 200,
    colour: false,
    now: () => new Date('2026-11-22T12:00:00Z'),
    print: (line) => printed.push(line),
    complain: () => undefined,
  });
  return printed.join('\n');
}

it('say how many names (other) stands for', async () => {
  const ledger = await openLedger(loadCollectorConfig({ PI_LEDGER_HOME: home }));
  const sessions = [...sessionsOfNames({ prefix: 'n', count: 1_003, firstNumber: 1 })];
  for (let from = 0; from < sessions.length; from += 500)
    await ledger.ingest.accept(sessions.slice(from, from + 500).flat());
  await ledger.subscription.catchUp();
  await ledger.close();
  for (const asked of [['models'], ['tools'], ['report', '--by', 'branch']]) {
    const text = await run(...asked);
    expect(text).toContain('(other) stands for 3 names');
    expect(text).toMatch(/^(anthropic +)?\(other\) /m);
  }
  expect(JSON.parse(await run('report', '--by', 'agent', '--json')).hiddenNames).toBe(3);
  expect(await run('models', '--model', 'n00000')).not.toContain('(other)');
});
