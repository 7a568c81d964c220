/**
 * `/ledger`: what this process recorded and whether it arrives, and what the collector knows beside
 * it. `pi-ledger report` asks the ledger itself.
 */

import { asString } from '../../core/record/fields.ts';
import { type HostApi, hasUi, modeOf, notify } from '../host/host.ts';
import { sessionOf } from '../host/session.ts';
import type { Recording } from '../producer.ts';
import type { Attachment } from '../recorder.ts';
import type { Collector } from '../shipping/connection.ts';
import { writeToTerminal } from '../terminal.ts';
import { type Completion, completionsOf } from './completions.ts';
import { names } from './names.ts';
import type { AskState } from './overview.ts';
import { isPaused, switchRecording } from './pause.ts';

/** Answers a command. With `onDraft`, it may show a part before. Contract: never rejects. */
export type Respond = (
  args: string,
  ctx: unknown,
  onDraft: (text: string) => void,
) => string | Promise<string>;

/** Completions of what is typed after `/ledger `. Contract: never throws. */
export type Complete = (typed: string) => readonly Completion[] | null;

/**
 * Registered in every state of the extension: the host would send an unknown command to the model
 * as a prompt, which costs money. `respond` may take time, within its own limits.
 */
export function registerLedgerCommand(api: HostApi, respond: Respond, complete?: Complete): void {
  api.registerCommand('ledger', {
    description: `pi-ledger: ${Object.keys(names).join(', ')}`,
    ...(complete && { getArgumentCompletions: (typed) => complete(asString(typed) ?? '') }),
    handler(args, ctx) {
      const text = respond(asString(args) ?? '', ctx, (draft) => showDraft(ctx, draft));
      return typeof text === 'string' ? show(ctx, text) : text.then((late) => show(ctx, late));
    },
  });
}

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

/** The hosts' terminals replace a message by the next one; others would show both. */
function showDraft(ctx: unknown, text: string): void {
  if (modeOf(ctx) === 'tui') show(ctx, text);
}

/** On stderr without an interface: stdout belongs to the host's output. */
function show(ctx: unknown, text: string): void {
  if (hasUi(ctx) === true && notify(ctx, text, 'info')) return;
  writeToTerminal(text);
}
