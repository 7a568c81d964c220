/** Kill -9 while history is sealed, for every store. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createProjections } from '../../../collector/projections/registry.ts';
import { noRules } from '../../../collector/projections/rules.ts';
import { createFoldingSubscription } from '../../../collector/subscription/folding-subscription.ts';
import {
  contentsOf,
  expectContents,
  expectedContents,
} from '../../collector/subscription/ledger.ts';
import { story } from '../../collector/subscription/story.ts';
import { openStore } from '../../collector/support/open-store.ts';
import { newestTold } from './told.ts';

export interface Kills {
  /** A location as in PI_LEDGER_STORE. */
  readonly store: () => string;
  readonly kills: number;
  readonly killAfterMsMax: number;
}

export function historyKillSuite(name: string, { store, kills, killAfterMsMax }: Kills): void {
  it(`${name}: counts every event once after every kill -9 of a sealing collector`, async () => {
    const address = store();
    const floors: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      // The last one has sealed before, however slow the machine is.
      const said = kill === kills - 1 ? 'sealed' : 'telling';
      await killWhileSealing(address, said, Math.random() * killAfterMsMax);
      floors.push(await expectAll(address));
    }
    expect(floors).toEqual(floors.toSorted((left, right) => left - right));
    expect(floors.at(-1)).toBeGreaterThan(0);
  });
}

/** `afterMs` after it said so for the first time. */
async function killWhileSealing(
  address: string,
  said: 'telling' | 'sealed',
  afterMs: number,
): Promise<void> {
  const script = fileURLToPath(new URL('./seal-for-ever.ts', import.meta.url));
  const child = spawn(process.execPath, [script, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  while (!text.includes(`${said}\n`)) {
    const [next] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    expect(String(next)).toMatch(/^(telling|sealed)\n/);
    text += String(next);
  }
  child.stdout.resume();
  await delay(afterMs);
  child.kill('SIGKILL');
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

/** Checks the views as they continue, and after a rebuild. Returns the floor. */
async function expectAll(address: string): Promise<number> {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const { log, views, right, close } = await openStore(address, { now: Date.now, onError });
  while (!(await right.take())) await delay(100);
  const subscription = createFoldingSubscription({
    log,
    views,
    projections: createProjections(noRules),
    onError,
  });
  try {
    const expected = expectedContents(story(1, await newestTold(log)));
    await subscription.catchUp();
    expectContents(await contentsOf(views), expected);
    await subscription.rebuild('sessions');
    await subscription.rebuild('producers');
    expectContents(await contentsOf(views), expected);
    expect(errors).toEqual([]);
    return (await log.history.seal())?.floorMs ?? 0;
  } finally {
    await subscription.stop();
    await close();
  }
}
