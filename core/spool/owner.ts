/**
 * The owner of a spool directory: one process, named so that another process can later tell whether
 * it is still alive.
 *
 * A pid alone is not enough: it is reused, and means something else in another pid namespace
 * (containers), after a reboot, and on another machine that shares the home directory. So the name
 * contains all of these. What the platform does not provide is null, and an owner that cannot be
 * identified is never assumed dead (liveness.ts).
 */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface SpoolOwner {
  /**
   * 12 hex digits of a hash over machine id and host name (clones of a disk image share the id);
   * null without a machine id.
   */
  readonly machine: string | null;
  /** Linux: 32 hex digits, drawn by the kernel at each boot. */
  readonly bootId: string | null;
  /** Linux: the inode number of the pid namespace. */
  readonly pidNamespace: string | null;
  readonly pid: number;
  /**
   * Linux: clock ticks after boot. Elsewhere ms since 1970, which only distinguishes two processes.
   */
  readonly startTime: string;
}

/** This process. Contract: never throws; reads four small files on Linux and nothing elsewhere. */
export function readOwner(): SpoolOwner {
  return process.platform === 'linux'
    ? readLinuxOwner()
    : { ...unknownPlace, machine: hashOf(hostname()), ...thisProcess() };
}

/** A directory name; `decodeOwner` is its inverse. */
export function encodeOwner(owner: SpoolOwner): string {
  const { machine, bootId, pidNamespace, pid, startTime } = owner;
  return [machine ?? unknown, bootId ?? unknown, pidNamespace ?? unknown, pid, startTime].join('-');
}

/** Returns null if the name is not that of an owner. */
export function decodeOwner(name: string): SpoolOwner | null {
  const [, machine, bootId, pidNamespace, pid, startTime] =
    /^([0-9a-f]{12}|x)-([0-9a-f]{32}|x)-(\d{1,20}|x)-(\d{1,10})-(\d{1,20})$/.exec(name) ?? [];
  if (pid === undefined || startTime === undefined) return null;
  return {
    machine: known(machine),
    bootId: known(bootId),
    pidNamespace: known(pidNamespace),
    pid: Number(pid),
    startTime,
  };
}

/**
 * State letter and start time of a process, from `/proc/<pid>/stat`. The command in the second
 * field may contain blanks and parentheses, so fields are counted from the last `)`.
 */
export function parseProcessStat(
  stat: string,
): { pid: number; state: string; startTime: string } | null {
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  if (end < 0 || state === undefined || startTime === undefined || !/^\d+$/.test(startTime))
    return null;
  return { pid: Number.parseInt(stat, 10), state, startTime };
}

const unknown = 'x';
const unknownPlace = { machine: null, bootId: null, pidNamespace: null };

function readLinuxOwner(): SpoolOwner {
  const bootId = readText('/proc/sys/kernel/random/boot_id')?.replaceAll('-', '') ?? '';
  const pidNamespace = /^pid:\[(\d+)\]$/.exec(readLink('/proc/self/ns/pid') ?? '')?.[1];
  const stat = parseProcessStat(readText('/proc/self/stat') ?? '');
  // A /proc of another namespace (a container with the host's /proc) shows other processes under
  // our numbers: it cannot be used.
  const trusted =
    /^[0-9a-f]{32}$/.test(bootId) && pidNamespace !== undefined && stat?.pid === process.pid;
  if (!trusted) return { ...unknownPlace, ...thisProcess() };
  const machineId = readText('/etc/machine-id') ?? '';
  const machine = machineId === '' ? null : hashOf(`${machineId} ${hostname()}`);
  return { machine, bootId, pidNamespace, pid: process.pid, startTime: stat.startTime };
}

function thisProcess(): { pid: number; startTime: string } {
  return { pid: process.pid, startTime: String(Math.round(performance.timeOrigin)) };
}

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);
const known = (field: string | undefined): string | null =>
  field === undefined || field === unknown ? null : field;

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null; // not readable here: the field is unknown
  }
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // not readable here: the field is unknown
  }
}
