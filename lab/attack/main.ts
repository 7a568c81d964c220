/**
 * `npm run attack [-- --runs <n>] [--seed <n>] [file...]`: the lane `security` for longer, and from
 * another seed each time. Prints the seed; with the same one the same attacks come again.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];

if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
  console.error('--runs and --seed are whole numbers.');
  process.exitCode = 2;
} else {
  console.log(`attack: ${runs} runs of each fuzzer, seed ${seed}`);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const lane = ['run', '--project', 'security', '--testTimeout', '0', ...positionals];
  const env = { PI_LEDGER_ATTACK_RUNS: String(runs), PI_LEDGER_ATTACK_SEED: String(seed) };
  const { status } = spawnSync(process.execPath, [vitest, ...lane], {
    ...{ cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
  });
  process.exitCode = status ?? 1;
}
