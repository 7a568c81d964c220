/**
 * What outlives a process: the spooled events and the marks, and the recorders of the processes
 * that use them.
 */
import type { EventDraft } from '../../../core/record/draft.ts';
import type { Marks, SpoolMark } from '../../../core/spool/marks.ts';
import type { Drops } from '../../../core/spool/spool.ts';
import type { Attribution } from '../../../extension/attribution/attribution.ts';
import { defaultSettings } from '../../../extension/host/limits.ts';
import {
  createRecorder,
  type Recorder,
  type RecorderOptions,
} from '../../../extension/recorder.ts';

export interface LedgerMachine {
  readonly appends: (readonly EventDraft[])[];
  readonly marks: Map<string, SpoolMark>;
  nowMs: number;
  /** The spool refuses every append. */
  isFull: boolean;
  /** Existing marks cannot be moved. */
  isMarkStuck: boolean;
  /** All events in the spool. */
  events(): readonly EventDraft[];
}

export interface Process {
  readonly recorder: Recorder;
  readonly drops: Drops;
  readonly wakes: () => number;
  /** Runs deferred work, like the event loop. */
  idle(slicesMax?: number): void;
}

export function newMachine(nowMs = Date.UTC(2026, 0, 1)): LedgerMachine {
  const appends: (readonly EventDraft[])[] = [];
  return {
    appends,
    marks: new Map(),
    nowMs,
    isFull: false,
    isMarkStuck: false,
    events: () => appends.flat(),
  };
}

export const attribution: Attribution = {
  basis: 'live',
  project: { name: 'shop', remote: null, branch: 'main', worktree: null },
  cwd: '/srv/shop',
  user: 'ada',
  machine: 'workbench',
  utcOffsetMinutes: 60,
  billing: {},
  host: { name: 'pi', version: '1.5.2' },
  mode: 'print',
  agent: { kind: 'main', name: null },
  parentSessionId: null,
  previousSessionId: null,
  producerVersion: '0.1.0',
};

export function startProcess(
  machine: LedgerMachine,
  overrides: Partial<RecorderOptions> = {},
): Process {
  const later: (() => void)[] = [];
  const drops = { spoolFull: 0, spoolUnwritable: 0, eventTooLarge: 0, recordFailed: 0 };
  let wakes = 0;
  const recorder = createRecorder({
    spool: {
      append(drafts) {
        if (machine.isFull) drops.spoolFull += drafts.length;
        // Copied through JSON, like the real spool: later changes have no effect.
        else machine.appends.push(JSON.parse(JSON.stringify(drafts)) as EventDraft[]);
        return !machine.isFull;
      },
      countRecordFailure() {
        drops.recordFailed += 1;
      },
      drops: () => ({ ...drops }),
      bytes: () => 0,
    },
    marks: marksOf(machine),
    attributor: {
      attribute: (_ctx, { billing, previousFile }) => ({
        ...attribution,
        billing: { ...billing },
        previousSessionId: previousFile,
      }),
      headOf: () => null,
    },
    clock: {
      nowMs: () => machine.nowMs,
      monotonicMs: () => machine.nowMs,
      processStartMs: machine.nowMs,
      soon: (callback) => void later.push(callback),
    },
    runEnd: 'agent_settled',
    hostName: 'pi',
    settings: { read: () => defaultSettings, isFree: false },
    parent: null,
    announceParent: () => undefined,
    contents: null,
    wake() {
      wakes += 1;
    },
    ...overrides,
  });
  return {
    recorder,
    drops,
    wakes: () => wakes,
    idle(slicesMax = 1_000) {
      for (let slice = 0; slice < slicesMax && later.length > 0; slice += 1) later.shift()?.();
    },
  };
}

function marksOf(machine: LedgerMachine): Marks {
  return {
    read: (sessionId) => machine.marks.get(sessionId) ?? null,
    write(sessionId, mark) {
      if (machine.isMarkStuck && machine.marks.has(sessionId)) return false;
      machine.marks.set(sessionId, mark);
      return true;
    },
  };
}
