/**
 * `/ledger`: what this process recorded and whether it arrives, and what the collector knows beside
 * it. `pi-ledger report` asks the ledger itself.
 */

import { type HostApi, hasUi, modeOf, notify } from '../host/host.ts';
import { sessionOf } from '../host/session.ts';
import type { Recording } from '../producer.ts';
import { asString } from '../record/fields.ts';
import { writeToTerminal } from '../terminal.ts';
import type { Collector } from './asking/ask.ts';
import { names } from './names.ts';
import type { AskState } from './overview.ts';

/** Answers a command. With `onDraft`, it may show a part before. Contract: never rejects. */
export type Respond = (
  args: string,
  ctx: unknown,
  onDraft: (text: string) => void,
) => string | Promise<string>;

/**
 * Registered in every state of the extension: the host would send an unknown command to the model
 * as a prompt, which costs money. `respond` may take time, within its own limits.
 */
export function registerLedgerCommand(api: HostApi, respond: Respond): void {
  api.registerCommand('ledger', {
    description: `pi-ledger: ${Object.keys(names).join(', ')}`,
    handler(args, ctx) {
      const text = respond(asString(args) ?? '', ctx, (draft) => showDraft(ctx, draft));
      return typeof text === 'string' ? show(ctx, text) : text.then((late) => show(ctx, late));
    },
  });
}

/**
 * Shows at once what is known here, then all of it with what the collector answers. First retries
 * events that wait for their next attempt: the user may just have started the collector.
 */
export function respondWith(producer: Recording): Respond {
  return async (args, ctx, onDraft) => {
    const { answer, needsCollector } = await import('./subcommands.ts');
    const sessionId = sessionOf(ctx)?.id ?? null;
    const answerWith = (asked: AskState) => {
      const session = producer.recorder.sessions().find(({ id }) => id === sessionId) ?? null;
      return answer(args, { producer, session, ctx, nowMs: Date.now(), asked });
    };
    const asks = needsCollector(args);
    if (asks) onDraft(answerWith({ is: 'asking' }));
    await producer.shipper.retry(retryMsMax);
    return answerWith(asks ? await askFor(producer.collector, sessionId) : { is: 'asking' });
  };
}

/** How long the answer may wait for the retry. */
const retryMsMax = 1_000;

async function askFor(collector: Collector, sessionId: string | null): Promise<AskState> {
  if (sessionId === null) return { is: 'none', why: 'the host names no session' };
  const { askOverview } = await import('./asking/overview.ts');
  return askOverview(collector, sessionId, Date.now());
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
