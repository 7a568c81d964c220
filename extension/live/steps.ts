/** What a trigger can have done: each act adds to the one append that its handler makes. */
import type { EventData, EventTypeName } from '@pi-ledger/contract';
import type { Attributor } from '../attribution/attribution.ts';
import type { Contents } from '../content/contents.ts';
import { contextUsageOf, type HostModel, modelOf, usesOAuth } from '../host/host.ts';
import type { Place } from '../record/place.ts';
import type { Drops, Spool } from '../spool/spool.ts';
import { producerVersion } from '../version.ts';
import type { RecorderClock } from './clock.ts';
import { contextNews, type HostFacts } from './context-news.ts';
import { liveDraft } from './draft.ts';
import { type Handling, take } from './hook-call.ts';
import { findLeaf } from './places.ts';
import type { AnnounceParent } from './process-parent.ts';
import { noteScanned, scanFrom, unseenFrom, unseenOnPath } from './progress.ts';
import { runData } from './run.ts';

/** What acts need of the world. */
export interface Means extends HostFacts {
  readonly spool: Pick<Spool, 'append' | 'countRecordFailure' | 'drops' | 'bytes'>;
  readonly attributor: Attributor;
  readonly clock: RecorderClock;
  /** As last said. */
  readonly reported: { drops: Drops };
  readonly announceParent: AnnounceParent;
  /** Null where no text travels. */
  readonly contents: Contents | null;
}

export function say<Name extends EventTypeName>(
  handling: Handling,
  means: Means,
  type: Name,
  data: EventData<Name>,
  timeMs: number = means.clock.nowMs(),
): void {
  handling.drafts.push(liveDraft(type, handling.state.id, timeMs, data));
}

/** Records what is new between the leaf and the last seen entry. */
export function walk(handling: Handling, means: Means): void {
  const { state, host } = handling;
  if (host !== null) take(handling, unseenOnPath(state, host), means.spool.countRecordFailure);
}

/** Records what is new on any branch. The mark may move after it. */
export function scan(handling: Handling, means: Means): void {
  const { state, host } = handling;
  if (host === null || handling.scannedTo !== null) return;
  const entries = host.entries();
  take(
    handling,
    unseenFrom(state, entries, scanFrom(state, entries)),
    means.spool.countRecordFailure,
  );
  noteScanned(state, entries);
  findLeaf(state, host);
  handling.scannedTo = entries.at(entries.length - 1) ?? null;
}

/** Says whose session it is, if that was not said yet or has changed. */
export function attribute(handling: Handling, means: Means): void {
  const { state, ctx, host } = handling;
  if (host === null) return;
  learnBilling(handling);
  const attribution = means.attributor.attribute(ctx, state);
  if (JSON.stringify(attribution) === JSON.stringify(handling.attribution ?? state.attribution))
    return;
  handling.attribution = attribution;
  say(handling, means, 'pi.session.attributed.v1', attribution);
}

/** Where the session stands: what ties an event to the entries around it. */
export function circumstances(handling: Handling) {
  const model = modelOf(handling.ctx);
  return {
    leafEntryId: handling.host?.leafId() ?? null,
    promptEntryId: placeAtLeaf(handling)?.promptEntryId ?? null,
    provider: model?.provider ?? null,
    model: model?.model ?? null,
  };
}

/** Null where the leaf was not seen by this process. */
export function placeAtLeaf({ state, host }: Handling): Place | null {
  return state.places.get(host?.leafId() ?? '') ?? null;
}

export function closeRun(
  handling: Handling,
  means: Means,
  end: { atMs: number; monotonicMs: number },
  aborted: boolean,
): void {
  const { run } = handling.state;
  if (run === null) return;
  say(handling, means, 'pi.run.completed.v1', runData(run, end.monotonicMs, aborted), end.atMs);
  handling.state.run = null;
}

export function now(means: Means): { atMs: number; monotonicMs: number } {
  return { atMs: means.clock.nowMs(), monotonicMs: means.clock.monotonicMs() };
}

/** How full the context is after the last answer, by the provider's own count; each answer once. */
export function sampleTurn(handling: Handling, means: Means): void {
  const { state } = handling;
  const tokens = state.unsampledTokens;
  if (tokens === null) return;
  state.unsampledTokens = null;
  const model = modelOf(handling.ctx);
  saySample(handling, means, {
    model,
    tokens,
    windowTokens: model?.windowTokens ?? null,
    source: 'provider',
  });
}

/** How full the host takes the context to be. Unknown right after a compaction in pi. */
export function sampleHost(handling: Handling, means: Means): void {
  const usage = contextUsageOf(handling.ctx);
  if (usage === null) return;
  saySample(handling, means, {
    ...usage,
    model: modelOf(handling.ctx),
    source: usage.tokens === null ? 'unknown' : 'estimate',
  });
}

/** What could not be recorded so far, if that has grown since it was last said. */
export function reportDrops(handling: Handling, means: Means): void {
  const dropped = means.spool.drops();
  if (JSON.stringify(dropped) === JSON.stringify(means.reported.drops)) return;
  handling.drops = dropped;
  say(handling, means, 'pi.producer.reported.v1', {
    producerVersion,
    dropped,
    spoolBytes: means.spool.bytes(),
  });
}

interface Sample {
  readonly model: HostModel | null;
  readonly tokens: number | null;
  readonly windowTokens: number | null;
  readonly source: EventData<'pi.context.sampled.v1'>['source'];
}

function saySample(
  handling: Handling,
  means: Means,
  { model, tokens, windowTokens, source }: Sample,
): void {
  say(handling, means, 'pi.context.sampled.v1', {
    entryId: handling.host?.leafId() ?? null,
    provider: model?.provider ?? null,
    model: model?.model ?? null,
    tokens,
    windowTokens,
    percent: tokens === null || windowTokens === null ? null : (tokens * 100) / windowTokens,
    source,
    ...contextNews(handling, means, model, windowTokens ?? model?.windowTokens ?? null),
  });
}

/** Cumulative, because the host only tells of the model that is chosen now. */
function learnBilling(handling: Handling): void {
  const model = modelOf(handling.ctx);
  if (model === null || model.provider === null) return;
  handling.state.billing = {
    ...handling.state.billing,
    [model.provider]: usesOAuth(handling.ctx) ? 'subscription' : 'metered',
  };
}
