import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { goLive, type Stores, type ViewsUnderTest } from './stores.ts';
import { expectConsistent, things } from './things.ts';

export function describeCrashes({ open }: Stores): void {
  it('keeps rows, documents and checkpoint consistent after every kill -9', async () => {
    const { views, reopen, opener } = await open();
    await goLive(views, things);
    let committed = 0;
    for (let kill = 0; kill < 15; kill++) {
      const child = startChild(opener);
      await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
      await delay(Math.random() * 40);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const again = await reopen();
      const checkpoint = await expectConsistent(again);
      expect(checkpoint).toBeGreaterThan(committed);
      committed = checkpoint;
    }
  });
}

function startChild(opener: ViewsUnderTest['opener']): ChildProcess {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url));
  return spawn(
    process.execPath,
    [script, opener.module, opener.name, JSON.stringify(opener.argument)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}
