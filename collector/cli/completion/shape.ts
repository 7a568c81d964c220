/** What a program consists of, read from its Commander definition: for shells and the manual. */
import type { Command, Option } from 'commander';
import type { Example } from '../command.ts';
import { findExamples } from './examples.ts';

export interface CommandShape {
  /** From the program down: `rejected`, `list`. Empty for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  /** With its arguments, as help shows it. */
  readonly usage: string;
  readonly options: readonly OptionShape[];
  /** What its first argument takes, if that is a closed set. */
  readonly choices: readonly string[];
  readonly examples: readonly Example[];
  readonly commands: readonly CommandShape[];
}

export interface OptionShape {
  /** `--by`, with its dashes. */
  readonly long: string;
  /** As help shows it: `--by <what>`. */
  readonly flags: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** What it takes, if that is a closed set. */
  readonly choices: readonly string[];
}

export function describeCommand(command: Command, path: readonly string[] = []): CommandShape {
  return {
    path,
    description: command.description(),
    usage: command.usage(),
    examples: findExamples(command),
    options: command.options.filter(({ hidden }) => !hidden).map(describeOption),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    commands: command.commands.map((child) => describeCommand(child, [...path, child.name()])),
  };
}

/** The command and all below it. */
export function flatten(shape: CommandShape): readonly CommandShape[] {
  return [shape, ...shape.commands.flatMap(flatten)];
}

function describeOption(option: Option): OptionShape {
  return {
    long: option.long ?? option.flags,
    flags: option.flags,
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}
