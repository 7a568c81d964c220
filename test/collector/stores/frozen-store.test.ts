/**
 * A store whose views the program of 2026-11-22 (commit 16f45ae) could no longer move: 1,030 upper
 * estimates of one session add up to more than 64 bits. It holds two turns of `s1` from before
 * them, and one of `s3` that was acknowledged after them and never shown.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { main } from '../../../collector/cli/main.ts';
import { temporaryDirectory } from '../support/directory.ts';

const directory = temporaryDirectory();
const bin = join(import.meta.dirname, '..', '..', '..', 'collector', 'bin', 'pi-ledger.mjs');
const frozen = join(import.meta.dirname, '..', 'data', 'stores', 'frozen-by-a-sum.db.gz');

function homeWithTheStore(): string {
  const home = join(directory, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'ledger.db'), gunzipSync(readFileSync(frozen)), { mode: 0o600 });
  return home;
}

async function start(home: string): Promise<ChildProcess> {
  const env = {
    ...process.env,
    HOME: home,
    PI_LEDGER_HOME: home,
    PI_LEDGER_PORT: '0',
    PI_LEDGER_IMPORT: '0',
  };
  const child = spawn(process.execPath, [bin, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  await expect.poll(() => said, { interval: 10 }).toMatch(/http:\S+/);
  return child;
}

async function report(home: string, ...argv: string[]) {
  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line);
  const env = { HOME: home, PI_LEDGER_HOME: home };
  const code = await main(['report', '--json', ...argv], {
    env,
    columns: null,
    colour: false,
    now: () => new Date('2026-11-22'),
    print,
    complain: print,
  });
  return { code, answer: JSON.parse(printed.join('\n')) };
}

it("a store frozen by an older program is folded to its end by today's collector", async () => {
  const home = homeWithTheStore();
  const collector = await start(home);
  const estimated = String(1_030n * BigInt(Number.MAX_SAFE_INTEGER));
  await expect
    .poll(async () => (await report(home)).answer.total, { interval: 100 })
    .toMatchObject({
      records: 3,
      inputTokens: 1_230,
      unknownBillingNanoUsd: '6984000',
      unreportedTokensMax: estimated,
      unreportedNanoUsdMax: estimated,
    });
  const { code, answer } = await report(home, '--by', 'session');
  expect(code).toBe(0);
  const records = answer.rows.map(
    ({ session, records: count }: { session: string; records: number }) => `${session}: ${count}`,
  );
  expect(records.toSorted()).toEqual(['s1: 2', 's2: 0', 's3: 1']);
  collector.kill('SIGTERM');
  expect(await once(collector, 'exit')).toEqual([0, null]);
});
