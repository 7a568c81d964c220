/** Completions, the manual page and the examples come from the commands themselves. */
import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import type { CliCommand } from '../../../collector/cli/command.ts';
import { commands } from '../../../collector/cli/commands/registry.ts';
import { main } from '../../../collector/cli/main.ts';
import { terminalOn } from '../../../collector/cli/output/terminal.ts';
import { createProgram } from '../../../collector/cli/program.ts';

async function printed(...argv: string[]): Promise<string> {
  const lines: string[] = [];
  const code = await main(argv, screenTo(lines));
  expect(code).toBe(0);
  return lines.join('\n');
}

function screenTo(lines: string[]) {
  return {
    env: {},
    columns: null,
    colour: false,
    now: () => new Date(),
    print: (line: string) => lines.push(line),
    complain: (line: string) => lines.push(line),
  };
}

const program = createProgram(terminalOn(screenTo([])), () => undefined);
const leaves = (command: Command, path: readonly string[] = []): readonly (readonly string[])[] =>
  command.commands.flatMap((child) => {
    const at = [...path, child.name()];
    return child.commands.length === 0 ? [at] : leaves(child, at);
  });

describe('pi-ledger completion bash', () => {
  const complete = async (...words: readonly string[]) => {
    const script = await printed('completion', 'bash');
    const line = `${script}
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pi_ledger; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', line, 'bash', 'pi-ledger', ...words], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout.trim().split('\n');
  };

  it.each([
    [['rep'], ['report', 'reprice']],
    [
      ['store', 'rejected', ''],
      ['list', 'retry', 'remove'],
    ],
    [['report', '--since', '7d', '--timez'], ['--timezone']],
    [['store', 'rejected', 'remove', '--a'], ['--all']],
    [['report', '--by', 'proj'], ['project']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'man'],
    ],
    [['completion', 'z'], ['zsh']],
    [['completion', 'bash', ''], ['']],
    [['completion', 'bash', '--nothing'], ['']],
  ])('completes %j to %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });
});

describe('pi-ledger completion', () => {
  it.each(['zsh', 'fish'])('of %s names every command and option', async (shell) => {
    const script = await printed('completion', shell);
    for (const path of leaves(program)) expect(script).toContain(path.at(-1));
    expect(script).toContain('did-not-pay');
    expect(script).not.toMatch(/[^\\]'[^ )'][^']*$/m);
  });

  it.each([
    ['zsh', '"/completion completion") compadd -- bash zsh fish man; return ;;'],
    ['fish', "not __fish_seen_subcommand_from bash zsh fish man' -f -a 'bash zsh fish man'"],
  ])('of %s offers what completion takes', async (shell, words) => {
    expect(await printed('completion', shell)).toContain(words);
  });

  it('man is a page in roff that names every command, option and example', async () => {
    const page = await printed('completion', 'man');
    expect(page).toMatch(/^\.TH PI-LEDGER 1 /);
    const said = page.replaceAll('\\-', '-');
    for (const path of leaves(program)) expect(said).toContain(`pi-ledger ${path.join(' ')} `);
    expect(said).toContain('\\fB--did-not-pay\\fR');
    expect(said).toContain('pi-ledger report --since 7d');
    for (const line of page.split('\n').filter((each) => each.startsWith('.')))
      expect(line).toMatch(/^\.(TH|SH|SS|TP|PP|RS|RE|B)\b/);
  });
});

describe('examples', () => {
  const examples: CliCommand['examples'] = Object.assign(
    {},
    ...commands.map((command) => command.examples),
  );

  it('stand in the help of each command', async () => {
    expect(
      leaves(program)
        .map((path) => path.join(' '))
        .filter((name) => !(name in examples)),
    ).toEqual([]);
    expect(await printed('compactions', '--help')).toMatch(
      /\nExamples:\n {2}pi-ledger compactions /,
    );
    expect(await printed('rejected', 'remove', '--help')).toContain(
      'pi-ledger store rejected remove 3 4',
    );
  });

  it('have commands and options that exist', () => {
    for (const [name, lines] of Object.entries(examples)) {
      const path = name.split(' ');
      const command = path.reduce<Command | undefined>(
        (at, word) => at?.commands.find((child) => child.name() === word),
        program,
      );
      const known = [...(command?.options ?? []), ...(command?.parent?.options ?? [])];
      const flags = lines.flatMap(([line]) => line.match(/ --[a-z-]+/g) ?? []);
      for (const flag of flags)
        expect(
          known.map(({ long }) => long),
          `${name}${flag}`,
        ).toContain(flag.trim());
    }
  });
});
