/** The skill for agents: each command that it names runs, and its JSON has the fields named. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Importing } from '@pi-ledger/contract/answers';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCollectorConfig } from '../../collector/config/config.ts';
import { openProgress } from '../../collector/importers/progress/progress.ts';
import { readStoreId } from '../../collector/main.ts';
import { commandLines } from '../collector/support/command-lines.ts';

const folder = join(import.meta.dirname, '../../extension/skills/pi-ledger');
const text = readFileSync(join(folder, 'SKILL.md'), 'utf8');
const spans = (part: string) => [...part.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
const questions = text
  .split('\n')
  .filter((line) => /^\| .*`pi-ledger /.test(line))
  .map((line) => {
    const [command = '', ...paths] = spans(line);
    return { words: command.split(' ').slice(1), paths };
  });
const commandLine = commandLines();

describe('the skill', () => {
  // In the evening: just after midnight nobody has worked today.
  const { run, env } = commandLine({ now: () => new Date('2026-11-22T21:00:00Z') });
  const ask = async (...words: readonly string[]) => {
    const { code, printed } = await run(...words);
    expect({ words, code: words[0] === 'doctor' ? 0 : code }).toEqual({ words, code: 0 });
    return JSON.parse(printed);
  };

  beforeAll(async () => {
    const path = join(env.PI_LEDGER_HOME ?? '', 'ledger.db');
    expect((await run('demo', '--days', '14', '--data-only', path)).code).toBe(0);
  });

  it('has the name of its folder, and a description that hosts take', () => {
    const [, head = ''] = text.split('---\n');
    expect(head).toMatch(/^name: pi-ledger$/m);
    const description = /^description: (.+)$/m.exec(head)?.[1] ?? '';
    expect(description.length).toBeGreaterThan(100);
    expect(description.length).toBeLessThanOrEqual(1024);
    // Hosts read it as YAML: a colon with a blank would end the text.
    expect(description).not.toMatch(/: | #/);
  });

  it('names commands that only read', () => {
    const named = new Set(questions.map(({ words }) => words[0]));
    expect(named).toEqual(new Set(['report', 'sessions', 'context', 'compactions', 'doctor']));
  });

  it.each(questions)('finds in `$words` what it says', async ({ words, paths }) => {
    const { rows } = await ask('report', '--json');
    const named = words.map((word) => (word === 'PROJECT' ? rows[0].project : word));
    const answer = await ask(...named);
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect([path, valueAt(answer, path)]).not.toContain(undefined);
  });

  it('has a row for what its description promises, and for each way to split spend', () => {
    const asked = questions.map(({ words }) => words.join(' '));
    expect(asked).toContain('context last --json');
    for (const by of ['label:ticket', 'commit', 'pr', 'project', 'day', 'model', 'branch'])
      expect(asked.filter((words) => words.includes(`--by ${by} `))).toHaveLength(1);
  });

  it('says that totals are partial while an import runs or was interrupted', async () => {
    const begunMs = Date.parse('2026-11-22T20:00:00Z');
    const storeId = (await readStoreId(loadCollectorConfig(env))) ?? '';
    const progress = openProgress({ path: join(env.PI_LEDGER_HOME ?? '', 'imports.db'), storeId });
    const notes = progress.openScanNotes?.([env.HOME ?? '']);
    const read = { files: 1, filesToRead: 9, bytes: 1, bytesToRead: 9, events: 0 };
    notes?.note(read, begunMs);
    const { importing } = await ask('report', '--json');
    notes?.end();
    progress.close();
    expect(importing).toMatchObject({ isRunning: false, files: 1, filesToRead: 9 });
    const [, said = ''] = /`importing` is there(.+?)\n- /s.exec(text) ?? [];
    for (const field of spans(said).filter((each) => !each.includes(' ')))
      expect(importing).toHaveProperty(field);
    expect(said).toContain('partial');
  });

  it('names groupings, options and fields that there are', async () => {
    const [, prose = ''] = text.split('`PROJECT` stands');
    const named = spans(prose);
    const fields = [
      ...Object.keys((await ask('report', '--json')).total),
      ...Object.keys(Importing.properties),
    ];
    for (const span of named.filter((each) => /^[a-z]+[A-Z]\w+$/.test(each)))
      expect(fields).toContain(span);
    const groupings = named.filter((each) =>
      /^(user|machine|host|provider|session|tree|kind|month)$/.test(each),
    );
    expect(groupings).toHaveLength(8);
    for (const by of groupings) await ask('report', '--by', by, '--json');
    for (const option of named.filter((each) => each.startsWith('--')))
      if (option.includes(' ')) await ask('report', ...option.split(' '), '--json');
      else expect((await run('report', '--help')).printed).toContain(option);
  });
});

/** `rows[].id` is the first row's. */
function valueAt(answer: unknown, path: string): unknown {
  return path
    .replace('[]', '.0')
    .split('.')
    .reduce<unknown>(
      (value, key) => (Object(value) === value ? Reflect.get(Object(value), key) : undefined),
      answer,
    );
}
