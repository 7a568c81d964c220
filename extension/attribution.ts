/**
 * Whose session it is: project, user, machine, host, billing, agent. Gathered afresh each time it is asked for, and cheap enough for that
 * (tens of microseconds): the recorder asks at the start of a session and of each run, and records it when it has changed.
 */
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, relative, sep } from 'node:path';
import type { EventData } from '@pi-ledger/contract';
import { findGit, type GitPlace, readRepository } from './git.ts';
import { agentOf, cwdOf, type HostAgent, type Mode, modeOf } from './host.ts';
import type { HostIdentity } from './host-identity.ts';
import type { Header } from './record/entry.ts';
import { sessionIdOfFile, sessionIdOfParent } from './record/session.ts';
import { producerVersion } from './version.ts';

export type Attribution = EventData<'pi.session.attributed.v1'>;
export type Billing = Attribution['billing'];

/** What the session's own record knows, as far as it matters here. */
export interface AttributedSession {
  readonly header: Header | null;
  readonly file: string | null;
  readonly previousFile: string | null;
  /** The parent's id where this process knows it: an omp subagent's file is called after the agent, not after the session. */
  readonly knownParentId: string | null;
  /** The agent's name as a `session_init` entry gives it (omp's subagents). */
  readonly agentName: string | null;
  readonly billing: Billing;
}

export interface Attributor {
  /** Contract: never throws; what cannot be found out is null or `unknown`. Reads a few small files. */
  attribute(ctx: unknown, session: AttributedSession): Attribution;
}

export interface AttributorOptions {
  readonly host: HostIdentity;
  /** For hosts that do not tell. */
  readonly fallbackMode: Mode;
  readonly homeDirectory: string;
  /** Minutes east of UTC, now. */
  readonly utcOffsetMinutes: () => number;
}

export function createAttributor(options: AttributorOptions): Attributor {
  const gitPlaces = new Map<string, GitPlace | null>();
  const user = userName();
  const machine = hostname().slice(0, 500) || 'unknown';

  return {
    attribute(ctx, session) {
      const cwd = (cwdOf(ctx) ?? session.header?.cwd ?? '').slice(0, 4096);
      return {
        basis: 'live',
        project: projectOf(cwd, options.homeDirectory, gitPlaces),
        cwd,
        user,
        machine,
        utcOffsetMinutes: options.utcOffsetMinutes(),
        billing: { ...session.billing },
        host: { ...options.host },
        mode: modeOf(ctx) ?? options.fallbackMode,
        agent: agentOf(ctx) ?? agentByFile(session),
        parentSessionId: sessionIdOfParent(session.header?.parentSession ?? null) ?? session.knownParentId,
        previousSessionId: session.previousFile === null ? null : sessionIdOfFile(session.previousFile),
        producerVersion,
      };
    },
  };
}

const gitPlacesMax = 64;

function projectOf(cwd: string, homeDirectory: string, gitPlaces: Map<string, GitPlace | null>): Attribution['project'] {
  const place = gitPlaces.get(cwd) ?? (isAbsolute(cwd) ? findGit(cwd) : null);
  // A directory without a repository is looked at again each time: `git init` may come at any moment.
  if (place !== null && gitPlaces.size < gitPlacesMax) gitPlaces.set(cwd, place);
  if (place === null) return { name: directoryName(cwd, homeDirectory), remote: null, branch: null, worktree: null };
  const repository = readRepository(place);
  return { ...repository, name: repository.name.slice(0, 500) || directoryName(cwd, homeDirectory) };
}

/** Below home relative to it, home itself as `~`, anything else as it is. */
function directoryName(cwd: string, homeDirectory: string): string {
  const below = isAbsolute(cwd) ? relative(homeDirectory, cwd) : '..';
  const name = below === '' ? '~' : below.startsWith('..') || isAbsolute(below) ? cwd : below;
  return name.split(sep).join('/').slice(0, 500) || 'unknown';
}

/** omp keeps a subagent's session in the directory that bears its parent's name: `<parent>/<Name>.jsonl`. */
function agentByFile(session: AttributedSession): HostAgent {
  const parent = session.header?.parentSession ?? null;
  const isBelowParent = parent !== null && session.file !== null && dirname(session.file) === parent.replace(/\.jsonl$/, '');
  if (!isBelowParent) return { kind: 'main', name: null };
  return { kind: 'subagent', name: session.agentName ?? basename(session.file, '.jsonl').slice(0, 500) };
}

function userName(): string {
  const { USER, LOGNAME } = process.env;
  return (accountName() || USER || LOGNAME || nameInPasswd() || 'unknown').slice(0, 500);
}

/** Bun looks no further than the environment, and says `unknown` where that is silent. */
function accountName(): string | null {
  try {
    const { username } = userInfo();
    return username === 'unknown' ? null : username;
  } catch {
    return null; // a uid without an account, as in containers
  }
}

function nameInPasswd(): string | null {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    return lines.map((line) => line.split(':')).find(([, , uid]) => uid === String(process.getuid?.()))?.[0] ?? null;
  } catch {
    return null; // no such file on this platform
  }
}
