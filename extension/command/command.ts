/**
 * `/ledger`: what this process recorded, and whether it arrives. A glance at what is known here;
 * the ledger itself is asked with `pi-ledger report`.
 *
 * A new subcommand is one row in `subcommands`.
 */

import { complain } from '../complain.ts';
import { addressText } from '../config.ts';
import { disarm } from '../disarm.ts';
import { type HostApi, hasUi, notify, sessionOf } from '../host/host.ts';
import { entryTotals } from '../live/entry-totals.ts';
import type { SessionState } from '../live/session-state.ts';
import { addTotals, noTotals, type Totals } from '../live/totals.ts';
import type { Recording } from '../producer.ts';
import { asString } from '../record/fields.ts';
import { producerVersion } from '../version.ts';
import { dollars, grouped } from './amounts.ts';
import { compactionLines, contextLines } from './context.ts';

export interface LedgerView {
  readonly producer: Pick<Recording, 'config' | 'recorder' | 'spool' | 'shipper' | 'contents'>;
  /** The session that the command was given in. */
  readonly session: SessionState | null;
  /** The host's context of the command. */
  readonly ctx: unknown;
  readonly nowMs: number;
}

type ShipperState = ReturnType<Recording['shipper']['state']>['state'];

interface Subcommand {
  readonly description: string;
  /** Left out where no subcommand is named. */
  readonly isOnlyByName?: boolean;
  lines(view: LedgerView): readonly string[];
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
  spool: { description: 'what waits to be sent, and to where', lines: spoolLines },
};

/**
 * Registered whatever state the extension is in: a name that no command has goes to the model as a
 * prompt, and is paid for. `respond` may take its time, within bounds of its own.
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
 * What waits for its next attempt is tried first: whoever asks has perhaps just started the
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

/** How long the answer may wait for that. */
const retryMsMax = 1_000;

export function answer(args: string, view: LedgerView): string {
  const name = args.trim();
  const unnamed = Object.values(subcommands).filter(({ isOnlyByName }) => isOnlyByName !== true);
  const chosen =
    name === '' ? unnamed : Object.hasOwn(subcommands, name) ? [subcommands[name]] : [];
  if (chosen.length === 0) return usage(name);
  return chosen
    .flatMap((subcommand) => subcommand?.lines(view) ?? [])
    .map(disarm)
    .join('\n');
}

function usage(unknownName: string): string {
  const rows = Object.entries(subcommands).map(
    ([name, { description }]) => `/ledger ${name.padEnd(11)} ${description}`,
  );
  return [`There is no "/ledger ${disarm(unknownName.slice(0, 40))}".`, ...rows].join('\n');
}

/**
 * All of the session, as the host's own figure has it, and apart what of it is not this process' or
 * this session's.
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
          `  this process recorded ${grouped(here)} of them; earlier ones: their own process, or \`pi-ledger import\``,
        ]
      : []),
    ...(copied.records > 0
      ? [`  copied from another session, and counted there: ${totalsText(copied)}`]
      : []),
  ];
}

function projectLines({ producer, session }: LedgerView): readonly string[] {
  const name = session?.attribution?.project.name;
  if (name === undefined) return ['Project: not known yet'];
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
  const dropped = Object.entries(spool.drops()).filter(([, events]) => events > 0);
  const sent =
    lastAckAtMs === null
      ? 'nothing sent yet'
      : `last sent ${Math.round((nowMs - lastAckAtMs) / 1000)} s ago`;
  return [
    `Spool: ${kibibytes(pendingBytes)} of this process wait, ${kibibytes(spool.bytes())} in all (of ${kibibytes(config.spoolBytesMax)})`,
    `Collector ${addressText(config)}: ${state}, ${sent}${lastError === null ? '' : `, last error: ${lastError}`}`,
    ...(isStuck(state) ? [stuckText(config.url, state)] : []),
    ...(rejectedEvents > 0 ? [`Rejected by the collector: ${rejectedEvents}`] : []),
    ...(dropped.length > 0
      ? [`Dropped: ${dropped.map(([reason, events]) => `${events} ${reason}`).join(', ')}`]
      : []),
    ...(problem === null ? [] : [`Texts of summaries stay here: ${problem}`]),
    `pi-ledger ${producerVersion}, spool in ${config.spoolDirectory}`,
  ];
}

function isStuck(state: ShipperState): boolean {
  return state === 'waiting' || state === 'unauthorized';
}

function stuckText(url: string | null, state: ShipperState): string {
  const remedy =
    state === 'unauthorized'
      ? 'set a `token` that it takes (config.json or PI_LEDGER_TOKEN) and start the agent anew'
      : isOnThisMachine(url)
        ? 'start one with `npx @pi-ledger/collector start`'
        : 'see that it runs and can be reached from here';
  return `What is recorded waits in the spool until the collector takes it, and is not lost: ${remedy}`;
}

function isOnThisMachine(url: string | null): boolean {
  if (url === null) return true;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

function totalsText(totals: Totals): string {
  const { records, unpricedRecords, unreportedRecords } = totals;
  const cached = totals.cacheReadTokens + totals.cacheWriteTokens;
  return [
    records === 1 ? '1 record' : `${grouped(records)} records`,
    `${grouped(totals.inputTokens)} in, ${grouped(totals.outputTokens)} out, ${grouped(cached)} cached`,
    moneyText(totals),
    ...(unpricedRecords > 0 ? [`${unpricedRecords} unpriced`] : []),
    ...(unreportedRecords > 0
      ? [
          `${grouped(unreportedRecords)} failed ${unreportedRecords === 1 ? 'attempt' : 'attempts'} whose cost is unknown`,
        ]
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

/** On stderr where there is no interface: stdout belongs to the host's output. */
function show(ctx: unknown, text: string): void {
  if (hasUi(ctx) === true && notify(ctx, text, 'info')) return;
  complain(text);
}
