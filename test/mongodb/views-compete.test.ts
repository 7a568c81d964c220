/** Processes that commit against each other, like collectors after a failed lease. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { Views } from '../../collector/views/views.ts';
import { laneDatabases } from '../services/mongodb/databases.ts';
import { openViewsAt } from '../suites/views/open-mongodb.ts';
import { goLive } from '../suites/views/stores.ts';
import { expectConsistent, storyCommit, things } from '../suites/views/things.ts';

const databases = laneDatabases();
const children: Competitor[] = [];

afterEach(() => {
  for (const { process } of children.splice(0)) process.kill('SIGKILL');
});

interface Competitor {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  count(outcome: 'committed' | 'stale'): number;
  /** Lets it finish. */
  end(): Promise<void>;
}

function compete(uri: string): Competitor {
  const process = spawn(
    globalThis.process.execPath,
    [fileURLToPath(new URL('./views-compete.ts', import.meta.url)), uri],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let output = '';
  process.stdout.on('data', (text) => {
    output += text;
  });
  const competitor: Competitor = {
    process,
    count: (outcome) => output.split('\n').filter((line) => line === outcome).length,
    async end() {
      const closed = once(process, 'close');
      process.stdin.end();
      await closed;
    },
  };
  children.push(competitor);
  return competitor;
}

async function begun(...competitors: readonly Competitor[]): Promise<void> {
  while (competitors.some(({ count }) => count('committed') + count('stale') === 0))
    await sleep(10);
}

/**
 * 1 when it was committed. 0: the server had only now executed a request of the suspended process.
 */
async function commitNext(views: Views): Promise<number> {
  const checkpoint = await expectConsistent(views);
  const live = await views.live(things);
  return (await views.commit(things, storyCommit(live?.id ?? 0, checkpoint + 1))) === 'committed'
    ? 1
    : 0;
}

describe('two processes that commit to the same view', () => {
  it('count every commit once, whoever makes it', async () => {
    const uri = databases.uri();
    const views = await openViewsAt({ uri });
    await goLive(views, things);
    const both = [compete(uri), compete(uri)] as const;
    await begun(...both);
    await expect
      .poll(() => [
        ...both.map((each) => each.count('committed') > 0),
        both.some((each) => each.count('stale') > 0),
      ])
      .toEqual([true, true, true]);
    await sleep(1_000);
    await Promise.all(both.map((each) => each.end()));
    const [one, other] = both.map((each) => each.count('committed'));
    expect(Math.min(one ?? 0, other ?? 0)).toBeGreaterThan(0);
    expect(both.reduce((sum, each) => sum + each.count('stale'), 0)).toBeGreaterThan(0);
    // A decided commit counts for its decider, even when the other one finished it.
    expect(await expectConsistent(views)).toBe((one ?? 0) + (other ?? 0));
    await views.close();
  });

  it('go on when one of them is killed -9, again and again', async () => {
    const uri = databases.uri();
    const views = await openViewsAt({ uri });
    await goLive(views, things);
    const lasting = compete(uri);
    await begun(lasting);
    let killed = 0;
    for (let round = 0; round < 6; round++) {
      const short = compete(uri);
      await begun(short);
      await sleep(Math.random() * 150);
      const closed = once(short.process, 'close');
      short.process.kill('SIGKILL');
      await closed;
      killed += short.count('committed');
    }
    await lasting.end();
    const checkpoint = await expectConsistent(views);
    // Each killed process may have made one commit that it could not report.
    expect(checkpoint).toBeGreaterThanOrEqual(lasting.count('committed') + killed);
    expect(checkpoint).toBeLessThanOrEqual(lasting.count('committed') + killed + 6);
    await views.close();
  });

  it('do no harm when one is halted anywhere, and goes on long after', async () => {
    const uri = databases.uri();
    const views = await openViewsAt({ uri });
    await goLive(views, things);
    const halted = compete(uri);
    await begun(halted);
    let own = 0;
    for (let round = 0; round < 12; round++) {
      halted.process.kill('SIGSTOP');
      for (let i = 0; i < 3; i++) own += await commitNext(views);
      const lines = halted.count('committed') + halted.count('stale');
      halted.process.kill('SIGCONT');
      while (halted.count('committed') + halted.count('stale') < lines + 2) await sleep(5);
      await sleep(Math.random() * 60);
    }
    await halted.end();
    expect(halted.count('stale')).toBeGreaterThan(0);
    expect(await expectConsistent(views)).toBe(halted.count('committed') + own);
    expect(own).toBeGreaterThan(12);
    await views.close();
  });
});
