/**
 * Writes the README's questions and what the command line answers on the demo's month: `npm run
 * answers`. A test compares the two.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../../collector/cli/main.ts';
import type { Screen } from '../../collector/cli/output/screen.ts';
import { withPart } from './markdown.ts';

const path = fileURLToPath(new URL('../../README.md', import.meta.url));
const lastDay = '2026-11-20';

const questions: readonly (readonly [question: string, command: string])[] = [
  ['What did today, this week and this month cost?', ''],
  ['What changed, and what did it cost?', 'insights --since 7d --limit 1'],
  ['What did the newest sessions cost, and their subagents?', 'sessions --tree --limit 5'],
  ['Which model is slow, which one fails?', 'models'],
];

/** The README with the answers of today. */
export async function withAnswers(readme: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'pi-ledger-answers-'));
  try {
    const store = join(home, 'ledger.db');
    await run(['demo', '--data-only', store, '--until', lastDay], home);
    const parts: string[] = [];
    for (const [question, command] of questions) {
      const lines = await run(command.match(/\S+/g) ?? [], home);
      const shown = [`$ pi-ledger ${command}`.trim(), ...lines].join('\n').trimEnd();
      parts.push(`**${question}**\n\n\`\`\`console\n${shown}\n\`\`\`\n`);
    }
    const answers = `\n${parts.join('\n')}\n`;
    return withPart(readme, { name: 'answers', script: 'answers' }, answers);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function run(argv: readonly string[], home: string): Promise<string[]> {
  const lines: string[] = [];
  const screen: Screen = {
    env: { PI_LEDGER_HOME: home, HOME: home },
    columns: 80,
    colour: false,
    now: () => new Date(`${lastDay}T12:00:00Z`),
    print: (line) => lines.push(...line.split('\n')),
    complain: (line) => {
      throw new Error(line);
    },
  };
  const code = await main(argv, screen);
  if (code !== 0) {
    throw new Error(`pi-ledger ${argv.join(' ')} ended with ${code}`);
  }
  return lines;
}

if (import.meta.main) writeFileSync(path, await withAnswers(readFileSync(path, 'utf8')));
