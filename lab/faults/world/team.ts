/**
 * What a team runs (docs/mongodb.md): two collectors on one MongoDB-compatible database, one leads;
 * a balancer sends agents to whichever is ready. Each collector has a bad network to the database.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canMount, mountSmallDisk } from '../../../test/hosts/support/machine/disks.ts';
import { startFaultProxy } from '../../../test/support/fault-proxy.ts';
import { databaseVictim, openDatabase, residentBytesMax } from './database.ts';
import { diskBytes } from './embedded.ts';
import { createProgram, type Program } from './program.ts';
import { createToken } from './token.ts';
import { until } from './until.ts';
import { programsVictim, startAgain } from './victims.ts';
import { isPost, type OpenWorld } from './world.ts';

export const openTeam: OpenWorld = async ({ directory }) => {
  const agentsHome = join(directory, 'agents');
  mkdirSync(agentsHome, { mode: 0o700 });
  const disk = canMount() ? mountSmallDisk(agentsHome, diskBytes) : null;
  const unmount = (): void => disk?.unmount();
  process.prependOnceListener('exit', unmount);
  const database = await openDatabase();
  const front = await startFaultProxy({ port: 0, isRequest: isPost });

  async function newCollector(index: number) {
    const { uri, door } = await database.connect();
    const program = createProgram({
      ...{ name: `collector ${index}`, home: join(directory, `collector-${index}`) },
      clockFile: join(directory, `collector-${index}.clock`),
      env: { PI_LEDGER_STORE: uri },
      onListening: () => undefined,
    });
    return { program, door };
  }

  const members = [await newCollector(1), await newCollector(2)] as const;
  const programs = members.map(({ program }) => program);
  for (const program of programs) await startAgain(program);
  const [first] = programs as [Program];
  let leader: Program | null = null;
  const stopped = new AbortController();
  const lead = (program: Program, url: string): void => {
    if (program.url() !== url) return;
    leader = program;
    front.retarget(Number(new URL(url).port));
  };
  for (const program of programs) void watch(program, lead, stopped.signal);
  await until('a collector leads', () => leader !== null);
  const token = await createToken(leader ?? first);
  return {
    victims: [
      programsVictim('collector', 8, false, members),
      databaseVictim(database, 'gateway', 1),
      databaseVictim(database, 'database', 1),
    ],
    ...{ programs, disk, readsSpool: false, isAckInLog: true, residentBytesMax },
    ...{ readers: programs, fronts: [front], proxies: [front, ...database.doors] },
    agents: { home: agentsHome, token },
    async stop() {
      stopped.abort();
      await Promise.all(programs.map((each) => each.kill()));
      await front.close();
      await database.stop();
      unmount();
      process.off('exit', unmount);
    },
  };
};

const balanceEveryMs = 150;

/** One question at a time, however long a busy machine takes to answer it. */
async function watch(
  program: Program,
  lead: (program: Program, url: string) => void,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    const url = program.url();
    if (url !== null && (await isLeading(url, stopped))) lead(program, url);
    await sleep(balanceEveryMs);
  }
}

async function isLeading(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/ready`, { signal });
    const { role } = (await answer.json()) as { readonly role: string };
    return answer.status === 200 && role === 'leader';
  } catch {
    return false; // dead or starting
  }
}
