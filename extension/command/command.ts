/**
 * `/ledger`: what this process recorded, and whether it arrives. A quick overview from local
 * knowledge; `pi-ledger report` asks the ledger itself.
 *
 * A new subcommand is one row in `subcommands`.
 */

import { addressText } from '../config.ts';
import { type HostApi, hasUi, notify } from '../host/host.ts';
import { sessionOf } from '../host/session.ts';
import { entryTotals } from '../live/entry-totals.ts';
import type { SessionState } from '../live/session-state.ts';
import { addTotals, noTotals, type Totals } from '../live/totals.ts';
import type { Recording } from '../producer.ts';
import { asString } from '../record/fields.ts';
import { sanitizeLine } from '../sanitize.ts';
import { writeToTerminal } from '../terminal.ts';
import { producerVersion } from '../version.ts';
import { dollars, grouped } from './amounts.ts';
import { compactionLines, contextLines } from './context.ts';
import { labelLines, labelUsage } from './label.ts';

export interface LedgerView {
  readonly producer: Pick<Recording, 'config' | 'recorder' | 'spool' | 'shipper' | 'contents'>;
  /** The session in which the command was entered. */
  readonly session: SessionState | null;
  /** The host's context of the command. */
  readonly ctx: unknown;
  readonly nowMs: number;
}

type ShipperState = ReturnType<Recording['shipper']['state']>['state'];

interface Subcommand {
  readonly description: string;
  /** Shown only when named. */
  readonly isOnlyByName?: boolean;
  readonly takesWords?: boolean;
  /** `rest`: what follows its name. */
  lines(view: LedgerView, rest: string): readonly string[];
}

/** In the order in which `/ledger` alone shows them. */
export const subcommands: Readonly<Record<string, Subcommand>> = {
  session: {
    description: 'what this session spent, as far as this process recorded it',
    lines: sessionLines,
  },
  project: {
    description: 'the same for all sessions of this project in this process',
    lines: projectLines,
  },
  context: {
    description: 'how full the window is, what fills it, and when the host compacts',
    isOnlyByName: true,
    lines: ({ session, ctx }) => contextLines(session, ctx),
  },
  compactions: {
    description: 'what compactions did on this branch',
    isOnlyByName: true,
    lines: ({ session, ctx }) => compactionLines(session, ctx),
  },
  label: {
    description: `what this session is for: ${labelUsage}`,
    isOnlyByName: true,
    takesWords: true,
    lines: labelLines,
  },
  spool: { description: 'which events are still to be sent, and where', lines: spoolLines },
};

/**
 * Registered in every state of the extension: the host would send an unknown command to the model
 * as a prompt, which costs money. `respond` may take time, within its own limits.
 */
export function registerLedgerCommand(
  api: HostApi,
  respond: (args: string, ctx: unknown) => string | Promise<string>,
): void {
  api.registerCommand('ledger', {
    description: `pi-ledger: ${Object.keys(subcommands).join(', ')}`,
    handler(args, ctx) {
      const text = respond(asString(args) ?? '', ctx);
      return typeof text === 'string' ? show(ctx, text) : text.then((late) => show(ctx, late));
    },
  });
}

/**
 * First retries events that wait for their next attempt: the user may just have started the
 * collector.
 */
export function respondWith(
  producer: Recording,
): (args: string, ctx: unknown) => string | Promise<string> {
  return (args, ctx) => {
    const respond = () => {
      const sessionId = sessionOf(ctx)?.id;
      const session = producer.recorder.sessions().find(({ id }) => id === sessionId) ?? null;
      return answer(args, { producer, session, ctx, nowMs: Date.now() });
    };
    const retried = producer.shipper.retry(retryMsMax);
    return retried === null ? respond() : retried.then(respond);
  };
}

/** How long the answer may wait for the retry. */
const retryMsMax = 1_000;

export function answer(args: string, view: LedgerView): string {
  const [name = ''] = args.trim().split(/\s/, 1);
  const rest = args.trim().slice(name.length).trim();
  const unnamed = Object.values(subcommands).filter(({ isOnlyByName }) => isOnlyByName !== true);
  const chosen =
    name === '' ? unnamed : Object.hasOwn(subcommands, name) ? [subcommands[name]] : [];
  if (chosen.length === 0 || (rest !== '' && chosen[0]?.takesWords !== true))
    return usage(args.trim());
  return chosen
    .flatMap((subcommand) => subcommand?.lines(view, rest) ?? [])
    .map(sanitizeLine)
    .join('\n');
}

function usage(unknownName: string): string {
  const rows = Object.entries(subcommands).map(
    ([name, { description }]) => `/ledger ${name.padEnd(11)} ${description}`,
  );
  return [
    `Unknown subcommand "${sanitizeLine(unknownName.slice(0, 40))}". Available:`,
    ...rows,
  ].join('\n');
}

/**
 * The whole session, like the host's own figure, and separately what other processes or sessions
 * recorded.
 */
function sessionLines({ session, ctx }: LedgerView): readonly string[] {
  if (session === null) return ['Session: nothing recorded yet'];
  const entries = sessionOf(ctx)?.entries();
  if (entries === undefined) return [`Session: ${totalsText(session.totals)}`];
  const { own, copied } = entryTotals(session, entries);
  const here = session.totals.records;
  return [
    `Session: ${totalsText(own)}`,
    ...(here < own.records
      ? [
          `  this process recorded ${grouped(here)} of them; ` +
            'earlier ones are recorded by other processes or by `pi-ledger import`',
        ]
      : []),
    ...(copied.records > 0
      ? [`  copied from another session and counted there: ${totalsText(copied)}`]
      : []),
  ];
}

function projectLines({ producer, session }: LedgerView): readonly string[] {
  const name = session?.attribution?.project.name;
  if (name === undefined) return ['Project: unknown so far'];
  const totals = noTotals();
  for (const state of producer.recorder.sessions()) {
    if (state.attribution?.project.name === name) addTotals(totals, state.totals);
  }
  return [`Project ${name}, in this process: ${totalsText(totals)}`];
}

function spoolLines({ producer, nowMs }: LedgerView): readonly string[] {
  const { shipper, spool, config, contents } = producer;
  const problem = contents?.problem() ?? null;
  const { state, pendingBytes, lastAckAtMs, lastError, rejectedEvents } = shipper.state();
  const errorText = lastError === null ? [] : [`last error: ${lastError}`];
  const dropped = Object.entries(spool.drops()).filter(([, events]) => events > 0);
  const sent =
    lastAckAtMs === null
      ? 'nothing sent yet'
      : `last sent ${Math.round((nowMs - lastAckAtMs) / 1000)} s ago`;
  return [
    `Spool: ${kibibytes(pendingBytes)} pending from this process, ` +
      `${kibibytes(spool.bytes())} in total (limit ${kibibytes(config.spoolBytesMax)})`,
    [`Collector ${addressText(config)}: ${state}`, sent, ...errorText].join(', '),
    ...(isStuck(state) ? [stuckText(config.url, state)] : []),
    ...(rejectedEvents > 0 ? [`Rejected by the collector: ${rejectedEvents}`] : []),
    ...(dropped.length > 0
      ? [`Dropped: ${dropped.map(([reason, events]) => `${events} ${reason}`).join(', ')}`]
      : []),
    ...(problem === null ? [] : [`Summary texts are not sent: ${problem}`]),
    `pi-ledger ${producerVersion}, spool in ${config.spoolDirectory}`,
  ];
}

function isStuck(state: ShipperState): boolean {
  return state === 'waiting' || state === 'unauthorized';
}

function stuckText(url: string | null, state: ShipperState): string {
  const remedy =
    state === 'unauthorized'
      ? 'set a valid `token` (config.json or PI_LEDGER_TOKEN) and restart the agent'
      : isOnThisMachine(url)
        ? 'start a collector with `npx @pi-ledger/collector start`'
        : 'check that the collector runs and can be reached from here';
  return `Nothing is lost: events stay in the spool until a collector accepts them; ${remedy}`;
}

function isOnThisMachine(url: string | null): boolean {
  if (url === null) return true;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

function totalsText(totals: Totals): string {
  const { records, unpricedRecords, unreportedRecords } = totals;
  const attempts = unreportedRecords === 1 ? 'attempt' : 'attempts';
  const cached = totals.cacheReadTokens + totals.cacheWriteTokens;
  return [
    records === 1 ? '1 record' : `${grouped(records)} records`,
    `${grouped(totals.inputTokens)} in, ${grouped(totals.outputTokens)} out, ` +
      `${grouped(cached)} cached`,
    moneyText(totals),
    ...(unpricedRecords > 0 ? [`${unpricedRecords} unpriced`] : []),
    ...(unreportedRecords > 0
      ? [`${grouped(unreportedRecords)} failed ${attempts} whose cost is unknown`]
      : []),
  ].join(' · ');
}

/** Never one sum: a plan's list-price equivalent is no bill. */
function moneyText(totals: Totals): string {
  const amounts = [
    { nanoUsd: totals.meteredNanoUsd, label: '' },
    { nanoUsd: totals.subscriptionNanoUsd, label: ' at list price (subscription)' },
    { nanoUsd: totals.unknownBillingNanoUsd, label: ' (billing unknown)' },
  ].filter(({ nanoUsd }) => nanoUsd > 0n);
  if (amounts.length > 0)
    return amounts.map(({ nanoUsd, label }) => dollars(nanoUsd) + label).join(' + ');
  return totals.unpricedRecords > 0 ? 'n/a' : dollars(0n);
}

function kibibytes(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1024))} KiB`;
}

/** On stderr without an interface: stdout belongs to the host's output. */
function show(ctx: unknown, text: string): void {
  if (hasUi(ctx) === true && notify(ctx, text, 'info')) return;
  writeToTerminal(text);
}
