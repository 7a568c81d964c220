/** `node test/tools/run.ts <command> <arguments>`: one of the tools of `npm run check`. */
import { spawnSync } from 'node:child_process';
import { toolProgram } from './tools.ts';

const packages: Readonly<Record<string, string>> = {
  biome: '@biomejs/biome',
  depcruise: 'dependency-cruiser',
  knip: 'knip',
};

const [command = '', ...args] = process.argv.slice(2);
const program = await toolProgram('check', packages[command] ?? command, command);
const { status, error } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
if (error !== undefined) throw error;
process.exitCode = status ?? 1;
