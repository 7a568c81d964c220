/**
 * Registers `/ledger`: what this process recorded and whether it arrives, and what the collector
 * knows beside it. answer.ts answers it. `pi-ledger report` asks the ledger itself.
 */

import { asString } from '../../core/record/fields.ts';
import { type HostApi, hasUi, notify, readMode } from '../host/host.ts';
import { writeToTerminal } from '../terminal.ts';

/** The subcommands, in the order in which `/ledger` alone shows them (names.ts). */
const nameList = [
  'session',
  'project',
  'today',
  'budgets',
  'context',
  'compactions',
  'label',
  'pause',
  'resume',
  'open',
  'spool',
] as const;

export type Name = (typeof nameList)[number];

/** Answers a command. With `onDraft`, it may show a part before. Contract: never rejects. */
export type Respond = (
  args: string,
  ctx: unknown,
  onDraft: (text: string) => void,
) => string | Promise<string>;

/** A host replaces everything after `/ledger ` by `value`. */
export interface Completion {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** Completions of what is typed after `/ledger `. Contract: never throws. */
export type Complete = (typed: string) => readonly Completion[] | null;

/**
 * Registered in every state of the extension: the host would send an unknown command to the model
 * as a prompt, which costs money. `respond` may take time, within its own limits.
 */
export function registerLedgerCommand(api: HostApi, respond: Respond, complete?: Complete): void {
  api.registerCommand('ledger', {
    description: `pi-ledger: ${nameList.join(', ')}`,
    ...(complete && { getArgumentCompletions: (typed) => complete(asString(typed) ?? '') }),
    handler(args, ctx) {
      const text = respond(asString(args) ?? '', ctx, (draft) => showDraft(ctx, draft));
      return typeof text === 'string' ? show(ctx, text) : text.then((late) => show(ctx, late));
    },
  });
}

/** The hosts' terminals replace a message by the next one; others would show both. */
function showDraft(ctx: unknown, text: string): void {
  if (readMode(ctx) === 'tui') show(ctx, text);
}

/** On stderr without an interface: stdout belongs to the host's output. */
function show(ctx: unknown, text: string): void {
  if (hasUi(ctx) === true && notify(ctx, text, 'info')) return;
  writeToTerminal(text);
}
