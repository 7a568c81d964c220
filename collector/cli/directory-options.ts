import { type Command, Option } from 'commander';

/** Whose session files a command reads: importers, or readers of reconcile. */
interface Agent {
  readonly name: string;
  readonly title: string;
}

/** `--<name> DIR` of each agent: the directories given, by the agent's name. */
export type DirectoryOptions = Readonly<Record<string, unknown>>;

/** One repeatable flag for each agent. */
export function addDirectoryOptions(command: Command, agents: readonly Agent[]): Command {
  const several = (directory: string, before: readonly string[]) => [...before, directory];
  for (const { name, title } of agents)
    command.addOption(
      new Option(`--${name} <directory>`, `where the session files of ${title} are (repeatable)`)
        .argParser(several)
        .default([], `where ${title} keeps them`),
    );
  return command;
}

/** Empty: where the agent keeps its session files. */
export function directoriesGiven(options: DirectoryOptions, { name }: Agent): readonly string[] {
  const given = options[name];
  return Array.isArray(given) ? given.map(String) : [];
}
