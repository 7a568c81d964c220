/** A collector for a page: a process as a user starts it, with a home of its own. */
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answers } from '@pi-ledger/contract/answers';
import { afterAll, inject } from 'vitest';
import {
  createLedger,
  type Ledger,
  type LedgerSettings,
} from '../../hosts/support/ledger/ledger.ts';
import { bareEnvironment } from '../../support/bare-environment.ts';

export interface CollectorOptions {
  /** `demo`: a month of made-up data. */
  readonly data?: 'demo' | 'none';
  /** Beside the port. */
  readonly settings?: LedgerSettings;
  /** What is to be done before it starts. */
  before?(ledger: Ledger): Promise<void>;
}

/** Of this file's tests. A hook that is registered within another one would never run. */
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});

/** Runs until the end of the file's tests; knows no session files. */
export async function startedLedger({
  data = 'demo',
  settings = {},
  before,
}: CollectorOptions = {}): Promise<Ledger> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'pi-ledger-page-')));
  const home = join(root, 'home');
  const ledgerHome = join(root, 'ledger');
  for (const folder of [home, ledgerHome]) mkdirSync(folder, { mode: 0o700 });
  const env = { ...bareEnvironment, HOME: home, PI_LEDGER_HOME: ledgerHome };
  const ledger = await createLedger({ home, env, ledgerHome }, settings);
  if (data === 'demo') await fill(ledger, ledgerHome);
  closing.push(async () => {
    await ledger.stop();
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  });
  await before?.(ledger);
  await ledger.start();
  if (data === 'demo' && settings.auth === undefined) await settled(ledger);
  return ledger;
}

/** What was copied is folded anew: until then every figure says that it grows. */
async function settled(ledger: Ledger): Promise<void> {
  for (;;) {
    const { views } = await answerOf<Answers['GET /v1/standing']>(ledger, '/v1/standing');
    if (views.every(({ isBehind }) => !isBehind)) return;
    await sleep(200);
  }
}

/** With the demo's month, wherever it keeps its data. */
async function fill({ store, run }: Ledger, ledgerHome: string): Promise<void> {
  const demo = inject('demoStore');
  if (store.location.startsWith('sqlite:'))
    return copyFileSync(demo, join(ledgerHome, 'ledger.db'));
  const { exitCode, stderr } = await run(
    'copy',
    '--from',
    `sqlite:${demo}`,
    '--to',
    store.location,
  );
  if (exitCode !== 0) throw new Error(`the demo was not copied: ${stderr}`);
}

/** An answer of the API, which must be one. */
export async function answerOf<Answer>(ledger: Ledger, path: string): Promise<Answer> {
  const response = await fetch(`${ledger.url}${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}
