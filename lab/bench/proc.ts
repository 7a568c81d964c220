/** Figures of the kernel about processes. Linux only. */
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** User and system time of all threads of a running process. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const [user, system] = await cpuTicks(pid);
  return (user + system) / ticksPerSecond;
}

/**
 * The same for all ended children of this process, including their own ended children. Resolution
 * 10 ms.
 */
export async function cpuSecondsOfEndedChildren(): Promise<number> {
  const [, , user, system] = await cpuTicks(process.pid);
  return (user + system) / ticksPerSecond;
}

export function residentBytesOf(pid: number): Promise<number> {
  return statusBytesOf(pid, 'VmRSS');
}

/** Of what is resident: pages of files. */
export function residentFileBytesOf(pid: number): Promise<number> {
  return statusBytesOf(pid, 'RssFile');
}

async function statusBytesOf(pid: number, name: 'VmRSS' | 'RssFile'): Promise<number> {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm');
  const [, kibibytes] = line.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1_024;
}

/** Of all processes that this one has started, and they in turn, with one of these names. */
export async function cpuSecondsOfDescendants(names: readonly string[]): Promise<number> {
  let ticks = 0;
  // What its own ended children took belongs to it: a database has one for each connection, and
  // one may end at any moment.
  for (const pid of await pidsOfDescendants(names))
    ticks += (await cpuTicks(pid).catch(() => [])).reduce((sum, each) => sum + each, 0);
  return ticks / ticksPerSecond;
}

export async function residentBytesOfDescendants(names: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const pid of await pidsOfDescendants(names)) bytes += await residentBytesOf(pid);
  return bytes;
}

/** Processes that this one has started, and they in turn, with one of these names. */
export async function pidsOfDescendants(names: readonly string[]): Promise<readonly number[]> {
  const root = process.pid;
  const parents = new Map<number, { readonly parent: number; readonly name: string }>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+) /.exec(stat) ?? [];
    parents.set(Number(entry), { parent: Number(parent), name });
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)?.parent;
    return parent !== undefined && parent !== 0 && (parent === root || isBelow(parent));
  };
  return [...parents]
    .filter(([pid, { name }]) => names.includes(name) && isBelow(pid))
    .map(([pid]) => pid);
}

/** The observed peak, until the process ends or `stop` is called. */
export function watchPeakBytes(pid: number): { stop(): number } {
  let peakBytes = 0;
  const timer = setInterval(() => {
    try {
      const [, kibibytes] =
        /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      peakBytes = Math.max(peakBytes, Number(kibibytes ?? 0) * 1_024);
    } catch {
      clearInterval(timer); // it has ended
    }
  }, lookEveryMs);
  return {
    stop() {
      clearInterval(timer);
      return peakBytes;
    },
  };
}

const lookEveryMs = 50;

/** Linux counts in hundredths of a second for all programs, whatever the kernel's own clock. */
const ticksPerSecond = 100;

type CpuTicks = [user: number, system: number, childrenUser: number, childrenSystem: number];

/**
 * The command in the second field may contain blanks and parentheses, so fields are counted from
 * the last `)`.
 */
async function cpuTicks(pid: number): Promise<CpuTicks> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map(Number) as CpuTicks;
}
