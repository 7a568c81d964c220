/** Answers `/ledger`, and completes it. */
import { sessionOf } from '../host/session.ts';
import type { Recording } from '../producer.ts';
import type { Attachment } from '../recorder.ts';
import type { Collector } from '../shipping/connection.ts';
import type { Complete, Respond } from './command.ts';
import { completionsOf } from './completions.ts';
import type { AskState } from './overview.ts';
import { isPaused, switchRecording } from './pause.ts';

/** The hosts do not say in which session it is typed: the last one that did something. */
export function completeWith({ recorder }: Pick<Recording, 'recorder'>): Complete {
  return (typed) => completionsOf(typed, [...(recorder.sessions().at(-1)?.labels.keys() ?? [])]);
}

/**
 * Shows at once what is known here, then all of it with what the collector answers. First retries
 * events that wait for their next attempt: the user may just have started the collector.
 */
export function respondWith(producer: Recording, attachment: Attachment): Respond {
  return (args, ctx, onDraft) =>
    whileAwake(respond(producer, attachment, args, ctx, onDraft)).catch(
      (error: unknown) => `/ledger cannot answer: ${String(error)}`,
    );
}

/** Longer than retry and question together. */
const awakeMsMax = 5_000;

/** Nothing else keeps a process in print mode alive: its sockets and timers are unref'd. */
function whileAwake<Value>(answer: Promise<Value>): Promise<Value> {
  const awake = setTimeout(() => undefined, awakeMsMax);
  return answer.finally(() => clearTimeout(awake));
}

async function respond(
  producer: Recording,
  attachment: Attachment,
  ...[args, ctx, onDraft]: Parameters<Respond>
): Promise<string> {
  // At once: what the host does meanwhile is private already.
  const switched = switchRecording(args.trim(), producer, ctx, attachment);
  if (switched !== null) return switched;
  const { answer, needsCollector } = await import('./subcommands.ts');
  const sessionId = sessionOf(ctx)?.id ?? null;
  const answerWith = (known: { readonly asked?: AskState; readonly opened?: string }) => {
    const session = producer.recorder.sessions().find(({ id }) => id === sessionId) ?? null;
    const { asked = { is: 'asking' }, opened = null } = known;
    return answer(args, { producer, session, ctx, nowMs: Date.now(), asked, opened });
  };
  const isPrivate = () => isPaused(producer.recorder, sessionId);
  if (args.trim() === 'open')
    return answerWith({ opened: await open(producer, isPrivate() ? null : sessionId) });
  if (!needsCollector(args)) {
    await producer.shipper.retry(retryMsMax);
    return answerWith({});
  }
  if (!isPrivate()) onDraft(answerWith({}));
  await producer.shipper.retry(retryMsMax);
  return answerWith({
    asked: isPrivate() ? unasked : await askFor(producer.collector, sessionId),
  });
}

/** The collector may not have heard of the session. */
const unasked: AskState = { is: 'none', why: 'paused: the collector is not asked' };

/** How long the answer may wait for the retry. */
const retryMsMax = 1_000;

async function askFor(collector: Collector, sessionId: string | null): Promise<AskState> {
  if (sessionId === null) return { is: 'none', why: 'the host names no session' };
  const { askOverview } = await import('./asking/overview.ts');
  return askOverview(collector, sessionId, Date.now());
}

async function open({ collector }: Recording, sessionId: string | null): Promise<string> {
  const { openPage, systemBrowser } = await import('./open.ts');
  return openPage(collector, sessionId, systemBrowser);
}
