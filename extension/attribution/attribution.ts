/**
 * Whose session it is: project, user, machine, host, billing, agent. Gathered afresh on each call,
 * which takes tens of microseconds. The recorder asks at the start of a session and of each run,
 * and records the answer when it has changed.
 */
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { EventData } from '@pi-ledger/contract';
import { userName } from '../../core/machine/user.ts';
import { type CheckedOut, createProjects } from '../../core/project/project.ts';
import type { Header } from '../../core/record/entry.ts';
import { sessionIdOfFile, sessionIdOfParent } from '../../core/record/session.ts';
import { type HostAgent, type Mode, readAgent, readCwd, readMode } from '../host/host.ts';
import type { HostIdentity } from '../host/identity.ts';
import { producerVersion } from '../version.ts';
import type { Parentage } from './parentage.ts';

export type Attribution = EventData<'pi.session.attributed.v1'>;
export type Billing = Attribution['billing'];

/** What is known about the session, as far as it matters here. */
export interface AttributedSession {
  readonly header: Header | null;
  readonly file: string | null;
  readonly previousFile: string | null;
  readonly parentage: Parentage;
  /** The agent's name as a `session_init` entry gives it (omp's subagents). */
  readonly agentName: string | null;
  readonly billing: Billing;
}

export interface Attributor {
  /** Contract: never throws; unknown values are null or `unknown`. Reads a few small files. */
  attribute(ctx: unknown, session: AttributedSession): Attribution;
  /** What is checked out where an attributed session works, if that can be told. As above. */
  headOf(attribution: Attribution): CheckedOut | null;
}

export interface AttributorOptions {
  readonly host: HostIdentity;
  /** Used when the host does not report its mode. */
  readonly fallbackMode: Mode;
  readonly homeDirectory: string;
  /** The user's name for the main agent. */
  readonly agentName: string | null;
  /** Minutes east of UTC, now. */
  readonly utcOffsetMinutes: () => number;
}

export function createAttributor(options: AttributorOptions): Attributor {
  const projects = createProjects(options.homeDirectory);
  const user = userName();
  const machine = hostname().slice(0, 500) || 'unknown';

  return {
    headOf: ({ cwd }) => projects.headOf(cwd),
    attribute(ctx, session) {
      const cwd = (readCwd(ctx) ?? session.header?.cwd ?? '').slice(0, 4096);
      return {
        basis: 'live',
        project: projects.of(cwd),
        cwd,
        user,
        machine,
        utcOffsetMinutes: options.utcOffsetMinutes(),
        billing: { ...session.billing },
        host: { ...options.host },
        mode: readMode(ctx) ?? options.fallbackMode,
        agent: agentIn(ctx, session, options.agentName),
        parentSessionId:
          sessionIdOfParent(session.header?.parentSession ?? null) ??
          session.parentage.parentSessionId,
        previousSessionId:
          session.previousFile === null ? null : sessionIdOfFile(session.previousFile),
        producerVersion,
      };
    },
  };
}

/**
 * A subagent in a process of its own is the main agent there. The name from the settings does not
 * apply to it: children inherit settings and environment. The files of omp's subagents are named
 * after them.
 */
function agentIn(ctx: unknown, session: AttributedSession, nameOfMain: string | null): HostAgent {
  const told = readAgent(ctx);
  if (told?.kind === 'subagent') return told;
  const { parentage, file, agentName } = session;
  if (parentage.kind === 'none') return { kind: 'main', name: nameOfMain };
  const isOfOmp =
    parentage.kind === 'in-process' && (parentage.parent?.key.startsWith('agent:') ?? true);
  const fileName = isOfOmp && file !== null ? basename(file, '.jsonl').slice(0, 500) : null;
  return { kind: 'subagent', name: agentName ?? fileName };
}
