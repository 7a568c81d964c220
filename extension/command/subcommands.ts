/**
 * What `/ledger` answers: from local knowledge, and with what the collector answered. Loaded with
 * the first `/ledger`.
 *
 * A new subcommand is a name in names.ts and its lines here.
 */

import { grouped } from '../../contract/amounts.ts';
import { sanitizeLine } from '../../core/text/sanitize.ts';
import { addressText } from '../config.ts';
import { readSession } from '../host/session.ts';
import { addTotals } from '../live/add-spend.ts';
import { entryTotals } from '../live/entry-totals.ts';
import type { SessionState } from '../live/session-state.ts';
import { noTotals, recordsIn, type SessionTotals } from '../live/totals.ts';
import type { Recording } from '../producer.ts';
import { producerVersion } from '../version.ts';
import { entriesText } from './amounts.ts';
import { collectorCommand } from './collector-command.ts';
import type { Name } from './command.ts';
import { compactionLines, contextLines } from './context.ts';
import { labelLines } from './label.ts';
import type { LedgerView } from './ledger-view.ts';
import { isName, names } from './names.ts';
import {
  briefBudgetLines,
  briefTodayLines,
  budgetLines,
  projectTodayText,
  subagentLines,
  todayLines,
} from './overview.ts';
import { spentText } from './spent.ts';

type ShipperState = ReturnType<Recording['shipper']['state']>['state'];

/** `rest`: what follows the name. */
const lines: Readonly<Record<Name, (view: LedgerView, rest: string) => readonly string[]>> = {
  session: sessionLines,
  project: projectLines,
  today: ({ producer, asked }) => todayLines(asked, producer.config.home),
  budgets: ({ asked }) => budgetLines(asked),
  context: ({ session, ctx }) => contextLines(session, ctx),
  compactions: ({ session, ctx }) => compactionLines(session, ctx),
  label: labelLines,
  // Done before this module is loaded (answer.ts).
  pause: () => [],
  resume: () => [],
  open: ({ opened }) => (opened === null ? [] : [opened]),
  spool: spoolLines,
};

export function answer(args: string, view: LedgerView): string {
  const { chosen, rest } = parseChoice(args);
  if (chosen.length === 0) return usage(args.trim());
  const found =
    args.trim() === '' ? allInBrief(view) : chosen.flatMap((name) => lines[name](view, rest));
  const shown = found.length > 0 ? found : nothing(view);
  return shown.map(sanitizeLine).join('\n');
}

/** Eight lines at most while all is well: each subcommand has the rest of its own. */
function allInBrief(view: LedgerView): readonly string[] {
  const { producer, session, ctx, asked } = view;
  return [
    ...sessionLines(view),
    ...projectLines(view).slice(0, 1),
    ...briefTodayLines(asked, producer.config.home),
    ...briefBudgetLines(asked),
    ...contextLines(session, ctx).slice(0, 1),
    ...(isAllSent(view) ? [] : spoolLines(view)),
  ];
}

/** What was recorded a moment ago is on its way. */
function isAllSent({ producer, nowMs }: LedgerView): boolean {
  const { shipper, spool, contents } = producer;
  const { state, pendingBytes, lastAckAtMs, lastError, rejectedEvents } = shipper.state();
  const isOnItsWay = lastAckAtMs !== null && nowMs - lastAckAtMs < onItsWayMs;
  const isWell =
    lastError === null && rejectedEvents === 0 && (contents?.problem() ?? null) === null;
  return (
    state === 'idle' &&
    isWell &&
    (pendingBytes === 0 || isOnItsWay) &&
    Object.values(spool.drops()).every((events) => events === 0)
  );
}

const onItsWayMs = 10_000;

/** Says why there is nothing to show, which happens with budgets alone. */
function nothing({ producer, asked }: LedgerView): readonly string[] {
  return asked.is === 'overview'
    ? ["There is no budget of this session's project or user"]
    : todayLines(asked, producer.config.home);
}

/** Only the collector knows some of what is asked for. */
export function needsCollector(args: string): boolean {
  return parseChoice(args).chosen.some((name) => names[name].asks === true);
}

/** Empty: there is no such subcommand. */
function parseChoice(args: string): { readonly chosen: readonly Name[]; readonly rest: string } {
  const [name = ''] = args.trim().split(/\s/, 1);
  const rest = args.trim().slice(name.length).trim();
  if (name === '') return { chosen: all.filter((each) => names[each].isOnlyByName !== true), rest };
  const isKnown = isName(name) && (rest === '' || names[name].takesWords === true);
  return { chosen: isKnown ? [name] : [], rest };
}

const all = Object.keys(names).filter(isName);

function usage(unknownName: string): string {
  return [
    `Unknown subcommand "${sanitizeLine(unknownName.slice(0, 40))}". Available:`,
    ...all.map((name) => `/ledger ${name.padEnd(11)} ${names[name].description}`),
  ].join('\n');
}

/**
 * The whole session, like the host's own figure, and separately what other processes or sessions
 * recorded.
 */
function sessionLines(view: LedgerView): readonly string[] {
  return [...ownLines(view), ...subagentLines(view.asked)];
}

function ownLines({ producer, session, ctx }: LedgerView): readonly string[] {
  if (session === null) return ['Session: nothing recorded yet'];
  const entries = readSession(ctx)?.entries();
  if (entries === undefined) return [`Session: ${totalsText(session.totals)}`];
  const { own, copied, hidden } = entryTotals(session, entries);
  const here = recordsIn(session.totals.spent);
  return [
    `Session: ${totalsText(own)}`,
    ...(here < recordsIn(own.spent)
      ? [
          `  this process recorded ${grouped(here)} of them; earlier ones are recorded by other ` +
            `processes or by \`${collectorCommand(producer.config.home)} import\``,
        ]
      : []),
    ...(recordsIn(copied.spent) > 0
      ? [`  copied from another session and counted there: ${totalsText(copied)}`]
      : []),
    ...requestLines(session),
    ...(hidden > 0 ? [`  private: ${entriesText(hidden)} not recorded`] : []),
    ...(session.privacy === 'paused' ? ['  recording is paused until /ledger resume'] : []),
  ];
}

function requestLines({ packageRequests }: SessionState): readonly string[] {
  if (packageRequests === 0) return [];
  const requests = packageRequests === 1 ? 'request' : 'requests';
  return [
    `  ${grouped(packageRequests)} ${requests} by packages: no entry says more, cost unknown`,
  ];
}

function projectLines({ producer, session, asked }: LedgerView): readonly string[] {
  const name = session?.attribution?.project.name;
  if (name === undefined) return ['Project: unknown so far'];
  const totals = noTotals();
  for (const state of producer.recorder.sessions()) {
    if (state.attribution?.project.name === name) addTotals(totals, state.totals);
  }
  const today = projectTodayText(asked);
  return [
    ...(today === null ? [] : [`Project ${name}, today: ${today}`]),
    `Project ${name}, in this process: ${totalsText(totals)}`,
  ];
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
    ...(isStuck(state) ? [stuckText(config, state)] : []),
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

function stuckText({ url, home }: Recording['config'], state: ShipperState): string {
  const remedy =
    state === 'unauthorized'
      ? 'set a valid `token` (config.json or PI_LEDGER_TOKEN) and restart the agent'
      : isOnThisMachine(url)
        ? `start a collector with \`${collectorCommand(home)} start\``
        : 'check that the collector runs and can be reached from here';
  return `Nothing is lost: events stay in the spool until a collector accepts them; ${remedy}`;
}

function isOnThisMachine(url: string | null): boolean {
  if (url === null) return true;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

function totalsText(totals: SessionTotals): string {
  const records = recordsIn(totals.spent);
  const cached = totals.cacheReadTokens + totals.cacheWriteTokens;
  return [
    records === 1 ? '1 record' : `${grouped(records)} records`,
    `${grouped(totals.inputTokens)} in, ${grouped(totals.outputTokens)} out, ` +
      `${grouped(cached)} cached`,
    spentText(totals.spent),
  ].join(' · ');
}

function kibibytes(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1024))} KiB`;
}
