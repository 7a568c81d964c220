/**
 * The steps that hooks are made of: each adds to the single append of its hook call. Those that
 * only a session at work takes are in turn-steps.ts.
 */
import type { EventData, EventTypeName } from '@pi-ledger/contract';
import type { Contents } from '../../core/content/contents.ts';
import type { Entry } from '../../core/record/entry.ts';
import type { Drops, Spool } from '../../core/spool/spool.ts';
import type { Attributor } from '../attribution/attribution.ts';
import { readModel, usesOAuth } from '../host/host.ts';
import type { RecorderClock } from './clock.ts';
import type { HostFacts } from './current-limits.ts';
import { liveDraft } from './draft.ts';
import type { HeadWatch } from './head-watch.ts';
import { type HookCall, recordEntries } from './hook-call.ts';
import { resolveLeaf } from './path-states.ts';
import type { AnnounceParent } from './process-parent.ts';
import { noteScanned, scanFrom, unseenFrom, unseenOnPath } from './progress.ts';
import type { RequestWatch } from './request-watch.ts';

/** What hooks and steps depend on. */
export interface RecorderDeps extends HostFacts {
  readonly spool: Pick<Spool, 'append' | 'countRecordFailure' | 'drops' | 'bytes'>;
  readonly attributor: Attributor;
  readonly heads: HeadWatch;
  readonly requests: RequestWatch;
  readonly clock: RecorderClock;
  /** As last reported, and whether child processes are told that they are private. */
  readonly reported: { drops: Drops; isPrivate: boolean };
  readonly announceParent: AnnounceParent;
  readonly contents: Contents | null;
}

export const noDrops: Drops = {
  spoolFull: 0,
  spoolUnwritable: 0,
  eventTooLarge: 0,
  recordFailed: 0,
};

export function emit<Name extends EventTypeName>(
  call: HookCall,
  deps: RecorderDeps,
  type: Name,
  data: EventData<Name>,
  timeMs: number = deps.clock.nowMs(),
): void {
  call.drafts.push(liveDraft(type, call.state.id, timeMs, data));
}

/** Records what is new between the leaf and the last seen entry. */
export function walk(call: HookCall, deps: RecorderDeps): void {
  const { state, host } = call;
  if (host !== null) record(call, deps, unseenOnPath(state, host));
}

/** Records what is new on any branch. Afterwards the mark may move. */
export function scan(call: HookCall, deps: RecorderDeps): void {
  const { state, host } = call;
  if (host === null || call.scannedTo !== null) return;
  const entries = host.entries();
  record(call, deps, unseenFrom(state, entries, scanFrom(state, entries)));
  noteScanned(state, entries);
  resolveLeaf(state, host);
  call.scannedTo = entries.at(entries.length - 1) ?? null;
}

function record(call: HookCall, deps: RecorderDeps, entries: readonly Entry[]): void {
  deps.requests.explain(call, recordEntries(call, entries, deps.spool.countRecordFailure));
}

/** Records whose session it is, unless that was already recorded and has not changed. */
export function attribute(call: HookCall, deps: RecorderDeps): void {
  const { state, ctx, host } = call;
  if (host === null) return;
  updateBilling(call);
  const attribution = deps.attributor.attribute(ctx, state);
  if (JSON.stringify(attribution) === JSON.stringify(call.attribution ?? state.attribution)) return;
  call.attribution = attribution;
  emit(call, deps, 'pi.session.attributed.v1', attribution);
}

/** Cumulative, because the host reports only the current model. */
function updateBilling(call: HookCall): void {
  const model = readModel(call.ctx);
  if (model === null || model.provider === null) return;
  call.state.billing = {
    ...call.state.billing,
    [model.provider]: usesOAuth(call.ctx) ? 'subscription' : 'metered',
  };
}
