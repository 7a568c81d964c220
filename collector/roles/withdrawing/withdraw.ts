/**
 * Takes events back that should not have come (docs/decisions/0063): one event for each cell of the
 * ledger says which; the views are then folded anew without them.
 *
 * Contract: `withdraw` rejects with `bad_parameter` and `not_found`, and appends nothing then.
 */
import { liveEventId } from '@pi-ledger/core/record/identity/event-id';
import { dayStartMs, instantMs } from '@pi-ledger/core/time/day';
import type { UsageViews } from '../../answers/views/usage-views.ts';
import type { WithdrawalRequest, Withdrawing } from '../../answers/withdrawals/route.ts';
import type { TokenRegistry } from '../../auth/tokens.ts';
import { LedgerError } from '../../errors.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import { partitionOfText } from '../../ingest/kafka/partition-of.ts';
import { floorId } from '../../log/history.ts';
import type { Log } from '../../log/log.ts';
import { isOfLedger, withdrawnType } from '../../log/withdrawals.ts';
import { eventAt } from './moves.ts';
import { planWithdrawal, type WithdrawnRecords } from './plan.ts';
import { countSealed } from './sealed.ts';

export interface WithdrawingOptions extends UsageViews {
  readonly log: Log;
  /** How many cells the ledger has. */
  readonly cells: number;
  readonly ingest: Pick<Ingest, 'accept'>;
  readonly tokens: Pick<TokenRegistry, 'list'>;
  readonly now: () => number;
}

export function createWithdrawing(options: WithdrawingOptions): Withdrawing {
  const { log, now } = options;
  return {
    list: async () => (await log.withdrawals()).list,
    async withdraw(request) {
      const token = request.token === undefined ? null : await findToken(options, request.token);
      const named = readNamed(request, token, now());
      await expectOpen(options, named);
      const { answer, records } = await planWithdrawal(log, options, named);
      if (answer.events === 0) await explainNothing(log, named);
      if (request.dryRun !== true) await append(options, request, records);
      return answer;
    },
  };
}

function readNamed(
  { event, session, since }: WithdrawalRequest,
  token: string | null,
  nowMs: number,
): WithdrawnRecords {
  const given = [event ?? null, session ?? null, token].filter((each) => each !== null);
  if (given.length !== 1) throw bad('event', 'one of event, session and token.');
  if ((token === null) !== (since === undefined))
    throw bad('since', 'goes with a token, and a token with it.');
  return {
    events: event === undefined ? [] : [event],
    session: session ?? null,
    token:
      token === null || since === undefined
        ? null
        : { id: token, since: readInstant(since, nowMs), until: new Date(nowMs).toISOString() },
  };
}

/** By its id, as one of the list; a revoked one stays there. */
async function findToken({ tokens }: WithdrawingOptions, id: string): Promise<string> {
  const known = (await tokens.list()).some((token) => token.id === id);
  if (known) return id;
  const message = 'token: there is no token with this id; `pi-ledger token list` has them.';
  throw new LedgerError('not_found', { field: 'token', message });
}

function readInstant(text: string, nowMs: number): string {
  const ms = dayStartMs(text) ?? instantMs(text);
  if (ms === null)
    throw bad('since', 'must be a day (2026-11-22, UTC) or an instant (2026-11-22T14:00:00Z).');
  if (ms > nowMs) throw bad('since', 'must not be in the future.');
  return new Date(ms).toISOString();
}

function bad(field: string, message: string): LedgerError {
  return new LedgerError('bad_parameter', { field, message: `${field}: ${message}` });
}

/**
 * Refuses what the ledger says of itself, and what is sealed: its events are gone, and only their
 * sums are left.
 */
async function expectOpen(options: WithdrawingOptions, named: WithdrawnRecords) {
  const { events, session, token } = named;
  for (const id of events) {
    const stored = await eventAt(options.log, id);
    if (stored !== null && isOfLedger(stored.event)) throw bad('event', ofLedger);
  }
  const seal = await options.log.history.seal();
  if (seal === null) return;
  const day = new Date(seal.floorMs).toISOString().slice(0, 10);
  const sealed = `what happened before ${day} is sealed, and cannot be withdrawn.`;
  if (events.some((id) => id < floorId(seal.floorMs))) throw bad('event', sealed);
  if (token !== null && Date.parse(token.since) < seal.floorMs)
    throw bad('since', `${sealed} Choose ${day} or later.`);
  if (session !== null && (await countSealed(options, [session], seal.floorMs)) > 0)
    throw bad('session', `${sealed} A part of this session is.`);
}

const ofLedger = 'the ledger wrote this event of itself; it cannot be withdrawn.';

/** Throws unless it is a token that has sent nothing. */
async function explainNothing(log: Log, { events, session }: WithdrawnRecords): Promise<void> {
  const [id] = events;
  if (id === undefined && session === null) return;
  const isWithdrawn = (await log.withdrawals()).list.some(
    ({ data: { records } }) =>
      (id !== undefined && records.events.includes(id)) ||
      (session !== null && records.session === session),
  );
  const what = id === undefined ? 'session' : 'event';
  throw new LedgerError('not_found', {
    field: what,
    message: isWithdrawn
      ? `The ${what} is withdrawn already.`
      : `The log has no such ${what}, or it is withdrawn already.`,
  });
}

/**
 * One event of each for each cell: what a token sent may be in any. All are offered together, so
 * that a store with transactions has all or none.
 */
async function append(
  { ingest, cells, now }: WithdrawingOptions,
  { reason, by }: WithdrawalRequest,
  parts: readonly WithdrawnRecords[],
): Promise<void> {
  const atMs = now();
  const subjects = subjectsOfCells(cells);
  const events = parts.flatMap((records) =>
    subjects.map((subject) => ({
      specversion: '1.0',
      id: liveEventId(atMs),
      source: '/collector',
      type: withdrawnType,
      time: new Date(atMs).toISOString(),
      subject,
      data: { records, reason, by },
    })),
  );
  const { rejected } = await ingest.accept(events, undefined, { is: 'record' });
  const [first] = rejected;
  if (first !== undefined)
    throw new LedgerError('bad_parameter', { field: first.field, message: first.message });
}

function subjectsOfCells(cells: number): readonly string[] {
  const subjects = new Map<number, string>();
  for (let number = 0; subjects.size < cells; number += 1) {
    const subject = `/withdrawals/${number}`;
    subjects.set(partitionOfText(subject, cells), subject);
  }
  return [...subjects.values()];
}
