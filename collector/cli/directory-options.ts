import { type Command, Option } from 'commander';

/** `--pi` and `--omp`: the directories given; empty: where the hosts keep their session files. */
export interface DirectoryOptions {
  readonly pi: readonly string[];
  readonly omp: readonly string[];
}

export function addDirectoryOptions(command: Command): Command {
  const several = (directory: string, before: readonly string[]) => [...before, directory];
  const option = (flag: string, host: string, usual: string) =>
    new Option(`${flag} <directory>`, `where the session files of ${host} are (repeatable)`)
      .argParser(several)
      .default([], usual);
  return command
    .addOption(option('--pi', 'pi', 'where pi keeps them'))
    .addOption(option('--omp', 'oh-my-pi', 'where oh-my-pi keeps them'));
}
