/** Every command of the registry, with its options and its help. */
import { nearestWord } from '@pi-ledger/contract/settings/misspelt';
import { Command } from 'commander';
import type { CliCommand, Example, ExitCode, Terminal } from './command.ts';
import { commands, groups, storeCommands } from './commands/registry.ts';
import { setExamples } from './completion/examples.ts';
import { asCalled } from './own-line.ts';
import { version } from './version.ts';

/** Contract: the command that ran calls `exit` once; mistyped input throws a CommanderError. */
export function createProgram(terminal: Terminal, exit: (code: ExitCode) => void): Command {
  const program = new Command('pi-ledger')
    .description('Every token, dollar and compaction of your pi agents, accounted for.')
    .version(version)
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 failure, 2 usage error.\n' +
        'Files: ~/.pi-ledger, or PI_LEDGER_HOME.',
    )
    .configureOutput({
      writeOut: (text) => splitLines(text).forEach(terminal.print),
      writeErr: (text) => splitLines(text).forEach(terminal.complain),
      outputError: (text) =>
        terminal.complain({ text: asCalled(terminal, inOneLine(text)), style: 'error' }),
    })
    .configureHelp({ subcommandTerm: nameWithArguments })
    .exitOverride();
  for (const { heading, commands: ofGroup } of groups) {
    program.commandsGroup(heading);
    for (const command of ofGroup) command.define(program, terminal, exit);
  }
  program.addHelpCommand(
    new Command('help').argument('[command]').description('show the help of a command'),
  );
  const store = program
    .command('store')
    .description('look after the store: copy, migrate, rebuild, seal, ...');
  for (const command of storeCommands) command.define(store, terminal, exit);
  const examples = Object.assign({}, ...commands.map((command) => command.examples));
  for (const command of program.commands)
    prepare(command, [command.name()], program, { terminal, examples });
  return program;
}

/** That each takes options goes without saying, and leaves a line for what it does. */
function nameWithArguments(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(' ');
}

/** Commands and those below them print, fail and have examples in one way. */
function prepare(
  command: Command,
  path: readonly string[],
  parent: Command,
  surroundings: Surroundings,
): void {
  const { terminal, examples } = surroundings;
  command.copyInheritedSettings(parent);
  const shown = examples[path.join(' ')] ?? [];
  setExamples(command, shown);
  if (shown.length > 0) command.addHelpText('after', () => exampleText(shown, terminal));
  for (const child of command.commands)
    prepare(child, [...path, child.name()], command, surroundings);
}

interface Surroundings {
  readonly terminal: Terminal;
  readonly examples: CliCommand['examples'];
}

function exampleText(shown: readonly Example[], terminal: Terminal): string {
  const called = shown.map(([line, what]) => [asCalled(terminal, line), what] as const);
  const width = Math.max(...called.map(([line]) => line.length));
  const widest = width + Math.max(...called.map(([, what]) => what.length)) + 4;
  const isNarrow = terminal.columns !== null && widest > terminal.columns;
  const lines = called.map(([line, what]) =>
    isNarrow ? `  ${line}\n      ${what}` : `  ${line.padEnd(width)}  ${what}`,
  );
  return `\nExamples:\n${lines.join('\n')}`;
}

/** What Commander says in two lines; without a better idea, where help is. */
function inOneLine(text: string): string {
  const [complaint = '', idea = ''] = splitLines(text);
  const meant = /^\(Did you mean (.*)\?\)$/.exec(idea)?.[1];
  if (meant !== undefined) return `${complaint} (did you mean ${meant}?)`;
  const isUnknown = complaint.startsWith('error: unknown ');
  return isUnknown ? `${complaint} (pi-ledger help lists all)` : shortChoices(complaint);
}

/** `--by projct: did you mean project? It takes ...`: what Commander says in two sentences. */
function shortChoices(line: string): string {
  return line.replace(
    /option '(--[\w-]+)[^']*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/,
    (_, option: string, written: string, choices: string) => {
      const near = nearestWord(written, choices.split(', '));
      return near === null
        ? `${option} ${written}: not one of ${choices}`
        : `${option} ${written}: did you mean ${near}? It takes ${choices}`;
    },
  );
}

/** Help, and complaints about what the user typed. */
function splitLines(text: string): string[] {
  return text.trimEnd().split('\n');
}
