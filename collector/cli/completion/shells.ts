/**
 * Completion scripts. Each knows the commands, their options and what an option takes; none starts
 * pi-ledger.
 */
import { type CommandShape, flatten, type OptionShape } from './shape.ts';

export const shells = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

function bashScript(program: CommandShape): string {
  const all = flatten(program);
  return [
    '# bash completion of pi-ledger; in ~/.bashrc: source <(pi-ledger completion bash)',
    '_pi_ledger() {',
    `  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"`,
    '  local at="" word words=""',
    `  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do`,
    '    case "$at/$word" in',
    `      ${subcommandPatterns(all)}) at="$at/$word" ;;`,
    '    esac',
    '  done',
    '  case "$at $prev" in',
    ...choicePatterns(all).map(({ pattern, values }) => `    ${pattern}) words="${values}" ;;`),
    '    *) case "$at" in',
    ...all.map((each) => `      "${joinPath(each)}") words="${listWords(each).join(' ')}" ;;`),
    '    esac ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o default -F _pi_ledger pi-ledger',
  ].join('\n');
}

function zshScript(program: CommandShape): string {
  const all = flatten(program);
  const describe = (each: CommandShape) =>
    [
      ...each.commands.map(({ path, description }) => [path.at(-1) ?? '', description] as const),
      ...each.options.map(({ long, description }) => [long, description] as const),
    ]
      .map(([name, text]) => quoted(`${name}:${text.replaceAll(':', '\\:')}`))
      .join(' ');
  return [
    '#compdef pi-ledger',
    '# zsh completion of pi-ledger; in ~/.zshrc after compinit: source <(pi-ledger completion zsh)',
    '_pi_ledger() {',
    `  local at="" word prev="\${words[CURRENT-1]}"`,
    '  local -a lines',
    `  for word in "\${(@)words[2,CURRENT-1]}"; do`,
    '    case "$at/$word" in',
    `      ${subcommandPatterns(all)}) at="$at/$word" ;;`,
    '    esac',
    '  done',
    '  case "$at $prev" in',
    ...choicePatterns(all).map(
      ({ pattern, values }) => `    ${pattern}) compadd -- ${values}; return ;;`,
    ),
    '  esac',
    '  case "$at" in',
    ...all.map((each) => `    "${joinPath(each)}") lines=(${describe(each)}) ;;`),
    '  esac',
    "  _describe 'pi-ledger' lines || _files",
    '}',
    'compdef _pi_ledger pi-ledger',
  ].join('\n');
}

function fishScript(program: CommandShape): string {
  const lines = ['# fish completion of pi-ledger: pi-ledger completion fish | source'];
  for (const each of flatten(program)) {
    const seen = each.path.map((name) => `__fish_seen_subcommand_from ${name}`);
    const children = each.commands.map(({ path }) => path.at(-1) ?? '');
    const below =
      children.length === 0 ? [] : [`not __fish_seen_subcommand_from ${children.join(' ')}`];
    const when = (conditions: readonly string[]) =>
      conditions.length === 0 ? '' : ` -n ${quoted(conditions.join('; and '))}`;
    for (const { path, description } of each.commands)
      lines.push(
        `complete -c pi-ledger${when([...seen, ...below])} -f -a ${path.at(-1)} ` +
          `-d ${quoted(description)}`,
      );
    if (each.choices.length > 0) {
      const values = each.choices.join(' ');
      const first = [...seen, `not __fish_seen_subcommand_from ${values}`];
      lines.push(`complete -c pi-ledger${when(first)} -f -a ${quoted(values)}`);
    }
    for (const option of each.options)
      lines.push(`complete -c pi-ledger${when(seen)} ${fishOption(option)}`);
  }
  return lines.join('\n');
}

function fishOption({ long, description, takesValue, choices }: OptionShape): string {
  const values =
    choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
  return `-l ${long.replace(/^--/, '')}${values} -d ${quoted(description)}`;
}

/** `/rejected/list` */
function joinPath({ path }: CommandShape): string {
  return path.map((name) => `/${name}`).join('');
}

function subcommandPatterns(all: readonly CommandShape[]): string {
  return all
    .filter(({ path }) => path.length > 0)
    .map(joinPath)
    .join('|');
}

/** Where the word before is an option, or a command, with a closed set of values. */
function choicePatterns(all: readonly CommandShape[]) {
  return all.flatMap((each) => {
    const own = { after: each.path.at(-1) ?? '', values: [...each.choices, ...listWords(each)] };
    const ofOptions = each.options
      .filter(({ choices }) => choices.length > 0)
      .map(({ long, choices }) => ({ after: long, values: choices }));
    return [...(each.choices.length > 0 ? [own] : []), ...ofOptions].map(({ after, values }) => ({
      pattern: `"${joinPath(each)} ${after}"`,
      values: values.join(' '),
    }));
  });
}

function listWords({ commands, options }: CommandShape): readonly string[] {
  return [...commands.map(({ path }) => path.at(-1) ?? ''), ...options.map(({ long }) => long)];
}

/** For bash, zsh and fish alike: no character is special but the quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
