import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openSqliteViews } from '../../../collector/stores/sqlite/views/views.ts';
import type { Views } from '../../../collector/views/views.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { contentsOf, expectContents, expectedContents, ledgers, readEvents } from './ledger.ts';
import { story } from './story.ts';

const { open } = ledgers();
const kills = 20;

it('holds exactly what a fold from scratch gives, after every kill -9', async () => {
  const ledger = open();
  let folded = 0;
  for (let kill = 0; kill < kills; kill++) {
    // A busy machine may not come to a commit before the kill; now and then it has the time that it
    // needs.
    const isAwaited = kill % 5 === 4;
    const before = folded;
    await killWhileTelling(ledger.path, async () => {
      if (isAwaited)
        await expect.poll(() => checkpointOf(ledger.views)).toBeGreaterThan(before + kills);
      await delay(Math.random() * 120);
    });
    const checkpoint = await expectWholeCommits(ledger.path);
    expect(checkpoint).toBeGreaterThanOrEqual(folded);
    folded = checkpoint;
  }
  expect(folded).toBeGreaterThan(kills);

  const head = await ledger.log.head();
  const events = await readEvents(ledger.log);
  expect(events).toEqual(story(1, head));
  await ledger.subscribe().catchUp();
  expectContents(await contentsOf(ledger.views), expectedContents(events));
  expect(ledger.errors).toEqual([]);
});

async function killWhileTelling(path: string, until: () => Promise<void>): Promise<void> {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  expect(String(first)).toBe('telling\n');
  await until();
  child.kill('SIGKILL');
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

/**
 * As the crash left it: documents and rows are those of the events up to the checkpoint. Returns
 * the checkpoint.
 */
async function expectWholeCommits(path: string): Promise<number> {
  const views = openSqliteViews({ path, readOnly: true });
  const checkpoint = await checkpointOf(views);
  const { producers: _, counters: __, ...found } = await contentsOf(views);
  const { producers: ___, ...expected } = expectedContents(story(1, checkpoint));
  expectContents(found, expected);
  await views.close();
  return checkpoint;
}

async function checkpointOf(views: Views): Promise<number> {
  return (await views.live(sessions))?.checkpoint ?? 0;
}
