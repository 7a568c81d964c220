/** What the parts of a made-up session share. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { DemoModel, DemoProject, DemoUser } from './cast.ts';
import type { DemoQuota } from './quota.ts';
import type { DemoRecorder } from './recorder.ts';
import type { DemoWindow } from './window.ts';

export interface DemoSessionPlan {
  readonly startMs: number;
  readonly user: DemoUser;
  readonly project: DemoProject;
  readonly branch: string;
  readonly model: DemoModel;
  readonly prompts: number;
}

export interface Agent {
  readonly kind: 'main' | 'subagent';
  readonly name: string | null;
  readonly parentSessionId: string | null;
}

export interface DemoWork {
  readonly plan: DemoSessionPlan;
  readonly agent: Agent;
  readonly recorder: DemoRecorder;
  readonly window: DemoWindow;
  readonly quota: DemoQuota;
  readonly thinkingLevel: string;
  /** Changes when the user chooses another one. */
  model: DemoModel;
  /** The newest entries that fill the window, for a compaction to keep. */
  recent: Recent[];
  /** Where the session stood before each prompt, to go back to. */
  readonly stands: Stand[];
  /** The events of its subagents' sessions. */
  readonly children: LedgerEvent[];
}

interface Recent {
  readonly entryId: string;
  readonly chars: number;
}

export interface Stand {
  readonly leaf: string | null;
  /** What the window held there. */
  readonly tokens: number;
  /** What a copy of the session up to there contains. */
  readonly entries: number;
  readonly answers: number;
}

/** Which host writes what: docs/context.md lists the differences. */
export function hostOf({ plan: { user } }: DemoWork) {
  const { name, version } = user.host;
  return { isOmp: name === 'omp', isOldPi: name === 'pi' && version.startsWith('0.7') };
}
