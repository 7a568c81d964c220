/** Runs `pi-ledger compose-init` in a directory. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../collector/cli/main.ts';

export function composeCommands(directory: string) {
  let files = 0;

  async function run(...argv: string[]) {
    const lines: string[] = [];
    const print = (line: string): void => {
      lines.push(line);
    };
    const terminal = {
      env: { HOME: directory },
      columns: null,
      colour: false,
      now: () => new Date(),
      print,
      complain: print,
    };
    return { code: await main(argv, terminal), printed: lines.join('\n') };
  }

  /** Writes a new file each time; returns its content and mode. */
  async function init(...options: string[]) {
    files += 1;
    const path = join(directory, `${files}.env`);
    const { code, printed } = await run('compose-init', '--file', path, ...options);
    if (code !== 0) throw new Error(printed);
    const lines = readFileSync(path, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm);
    return {
      printed,
      mode: statSync(path).mode & 0o777,
      variables: Object.fromEntries([...lines].map(([, name, value]) => [name, value])),
    };
  }

  return { run, init };
}
