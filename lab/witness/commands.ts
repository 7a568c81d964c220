/**
 * Every command that only looks, with every option, in every form: taken from the help of the tree
 * itself, so that a new option is asked as well.
 */
import { join } from 'node:path';
import { type Printed, run, type Subject } from './tree.ts';

export interface Asked {
  readonly argv: readonly string[];
  /** Width of the terminal; undefined: no terminal. */
  readonly columns?: number;
  /** What stands for paths that are too many to print. Default: `argv`. */
  readonly line?: string;
}

/** A value for what an option or an argument takes: `--since <when>`. */
export type Samples = Readonly<Record<string, readonly string[]>>;

interface HelpOption {
  readonly flag: string;
  readonly takes: string | null;
  readonly choices: readonly string[];
}

/** Commands that change the ledger or the machine, or never end; `afterwards.ts` has some. */
const changing = new Set([
  ...['start', 'init', 'label', 'import', 'billing', 'rebuild', 'import-events', 'copy'],
  ...['migrate', 'seal', 'rejected', 'withdraw', 'topics', 'token', 'compose-init', 'uninstall'],
  ...['demo', 'completion', 'help'],
]);
/** Below a command that looks, these change something or ask the network. */
const changingBelow = new Set(['test-notices', 'hide', 'unhide', 'help']);
/** Asked with the directories of the data, or for the machine: see `record.ts`. */
const askedElsewhere = new Set([
  'reconcile',
  'doctor',
  'export',
  'export-openmetrics',
  'export-otel',
]);
/** They go on for ever, write a file, or print what `--help` prints. */
const notAsked = new Set(['--watch', '--html', '--help', '--catalog']);
/** What a command cannot be without. */
const always: Readonly<Record<string, readonly string[]>> = {
  reprice: ['--catalog', join(import.meta.dirname, 'prices.json')],
};
const widths = [80, 120];
const forms = ['--json', '--csv', '--markdown'];

/** Every help text, by the words of its command. */
export async function readHelp(subject: Subject): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const read = async (words: readonly string[]): Promise<void> => {
    const { stdout } = await run(subject, [...words, '--help']);
    texts.set(words.join(' '), stdout);
    for (const below of subcommands(stdout)) if (below !== 'help') await read([...words, below]);
  };
  await read([]);
  return texts;
}

/** What is asked of the commands with this help. Throws for an option without a sample. */
export function questions(help: ReadonlyMap<string, string>, samples: Samples): readonly Asked[] {
  return [...help].flatMap(([words, text]) => {
    const [first = '', below = ''] = words.split(' ');
    const isPassedOver =
      first === '' || changing.has(first) || askedElsewhere.has(first) || changingBelow.has(below);
    return isPassedOver ? [] : questionsOfOne(words.split(' '), text, samples);
  });
}

function questionsOfOne(words: readonly string[], help: string, samples: Samples): Asked[] {
  const options = readOptions(help).filter(({ flag }) => !notAsked.has(flag));
  const offered = forms.filter((form) => options.some(({ flag }) => flag === form));
  const [, argument] = /<(\w+)>/.exec(help.split('\n\n')[0] ?? '') ?? [];
  const subjects =
    argument === undefined ? [[]] : valuesFor(`${words[0]} ${argument}`, samples).map((id) => [id]);
  const variants = options
    .filter(({ flag }) => !forms.includes(flag))
    .flatMap((option) => withValues(option, samples));
  return subjects.flatMap((named) => {
    const whole = [...words, ...(always[words[0] ?? ''] ?? []), ...named];
    return [[], ...variants].flatMap((variant) => [
      ...widths.map((columns) => ({ argv: [...whole, ...variant], columns })),
      ...offered.map((form) => ({ argv: [...whole, ...variant, form] })),
    ]);
  });
}

function withValues({ flag, takes, choices }: HelpOption, samples: Samples): string[][] {
  if (takes === null) return [[flag]];
  const values = choices.length > 0 ? choices : valuesFor(flag, samples);
  return values.map((value) => [flag, value]);
}

function valuesFor(name: string, samples: Samples): readonly string[] {
  const values = samples[name.replace(/^--/, '')];
  if (values === undefined) throw new Error(`No sample for ${name}: add one in samples.ts.`);
  return values;
}

function subcommands(help: string): readonly string[] {
  const [, below = ''] = help.split('\nCommands:\n');
  return [...(below.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
    ([, name = '']) => name,
  );
}

function readOptions(help: string): readonly HelpOption[] {
  const [, below = ''] = help.split('\nOptions:\n');
  const text = below.split('\n\n')[0] ?? '';
  return text.split(/\n(?= {2}-)/).map((entry) => {
    const [, flag = '', takes] =
      /^\s*(?:-\w, )?(--[\w-]+)(?: ([<[][^>\]]*[>\]]))?/.exec(entry) ?? [];
    const [, choices = ''] = /choices: ([^)]*)\)/.exec(entry.replaceAll(/\s+/g, ' ')) ?? [];
    return {
      flag,
      takes: takes ?? null,
      choices: [...choices.matchAll(/"([^"]*)"/g)].map(([, choice = '']) => choice),
    };
  });
}

export function lineOf({ argv, columns, line = argv.join(' ') }: Asked): string {
  return `pi-ledger ${line}${columns === undefined ? '' : ` (${columns} columns)`}`;
}

export function asText({ exitCode, stdout, stderr }: Printed): string {
  const complaints = stderr === '' ? '' : `\n--- complaints ---\n${stderr}`;
  return `${stdout}\n--- exit code ${exitCode} ---${complaints}`;
}
