/**
 * Decides whether the owner of a spool directory is alive. Only certainty gives `dead`; `unknown`
 * counts as alive until the owner has been silent for a day (adoption.ts). A wrong `dead` would
 * only cause a duplicate delivery: see adoption.ts.
 */
import { readFileSync } from 'node:fs';
import { parseProcessStat, type SpoolOwner } from './owner.ts';

export type Liveness = 'alive' | 'dead' | 'unknown';

/** What is visible of a pid from here. `hidden`: it exists, but no details are visible. */
export type Observation =
  | { readonly state: 'none' }
  | { readonly state: 'hidden' }
  | { readonly state: 'running'; readonly startTime: string };

/** The process that looks. Contract: `see` never throws. */
export interface Observer {
  readonly self: SpoolOwner;
  see(pid: number): Observation;
}

export function judgeLiveness(owner: SpoolOwner, observer: Observer): Liveness {
  const { self } = observer;
  if (canSee(self, owner)) return livenessByObservation(owner, observer.see(owner.pid));
  // The same machine has rebooted: everything that ran before is gone.
  if (
    sameMachine(self, owner) &&
    self.bootId !== null &&
    owner.bootId !== null &&
    self.bootId !== owner.bootId
  )
    return 'dead';
  return 'unknown';
}

/**
 * Whether `self` can tell if `owner` is alive: both run under one kernel in one pid namespace, or
 * on one machine without namespaces.
 */
export function canSee(self: SpoolOwner, owner: SpoolOwner): boolean {
  if (self.bootId === null && owner.bootId === null) return sameMachine(self, owner);
  return (
    self.bootId === owner.bootId &&
    self.pidNamespace !== null &&
    self.pidNamespace === owner.pidNamespace
  );
}

export function systemObserver(self: SpoolOwner): Observer {
  return { self, see: (pid) => (self.bootId === null ? seeBySignal(pid) : seeByProc(pid)) };
}

function livenessByObservation(owner: SpoolOwner, observation: Observation): Liveness {
  if (observation.state === 'none') return 'dead';
  if (observation.state === 'hidden') return 'unknown';
  return observation.startTime === owner.startTime ? 'alive' : 'dead';
}

const sameMachine = (a: SpoolOwner, b: SpoolOwner): boolean =>
  a.machine !== null && a.machine === b.machine;

/** A zombie has ended and only waits for its parent. */
function seeByProc(pid: number): Observation {
  const stat = readStat(pid);
  if (stat === null) return seeBySignal(pid);
  return stat.state === 'Z' || stat.state === 'X'
    ? { state: 'none' }
    : { state: 'running', startTime: stat.startTime };
}

/** Tells whether a pid is in use, not by whom. EPERM: in use by another user. */
function seeBySignal(pid: number): Observation {
  try {
    process.kill(pid, 0);
    return { state: 'hidden' };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
      ? { state: 'none' }
      : { state: 'hidden' };
  }
}

function readStat(pid: number): ReturnType<typeof parseProcessStat> {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return null; // gone, or hidden from this user: the signal tells which
  }
}
