/** One run of Schemathesis against a server, by the settings in ../schemathesis. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { findSchemathesis } from '../../../test/services/schemathesis/program.ts';
import { isLong, runs, seed } from './runs.ts';

const settings = join(import.meta.dirname, '..', 'schemathesis');

interface Outcome {
  /** 0: nothing was found. */
  readonly code: number;
  /** Its report, without the token. */
  readonly said: string;
  readonly cases: number;
}

/** In CI the same cases every time, without those at each bound of each parameter: 4,500 more. */
function drawn(): readonly string[] {
  if (!isLong) return ['--phases', 'examples,fuzzing', '--generation-deterministic'];
  const seeded = ['--seed', String(seed), '--generation-database', 'none'];
  return ['--phases', 'examples,coverage,fuzzing', ...seeded];
}

/** `directory`: for what it keeps from run to run. */
export async function runSchemathesis(
  url: string,
  token: string,
  directory: string,
): Promise<Outcome> {
  const { command } = await findSchemathesis(process.env);
  const [program, ...first] = command;
  const args = [
    ...[...first, '--config-file', join(settings, 'schemathesis.toml'), 'run'],
    ...[`${url}/openapi.json`, '--header', `Authorization: Bearer ${token}`, '--no-color'],
    ...['--continue-on-failure', '--request-timeout', '60', ...drawn()],
    ...['--max-examples', String(Math.ceil(runs(1_000) / 100))],
  ];
  // Its hooks are found by PYTHONPATH, and leave nothing compiled beside them.
  const env = { ...process.env, PYTHONPATH: settings, PYTHONDONTWRITEBYTECODE: '1' };
  const options = { cwd: directory, env, maxBuffer: 256 << 20 };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, out, errors) => {
      const cases = Number(/(\d+) generated/.exec(out)?.[1] ?? 0);
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
      resolve({ code, said: `${out}${errors}`, cases });
    });
  });
}
