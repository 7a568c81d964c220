/**
 * `POST /v1/withdrawals`: takes back events that should not have come, by an event of its own; the
 * views are then folded anew without them. `GET /v1/withdrawals`: what was taken back.
 */
import { liveEventId } from '@pi-ledger/extension/record/identity/event-id';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Tokens } from '../../auth/tokens.ts';
import { LedgerError } from '../../errors.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import { cellOfText } from '../../log/cell-of.ts';
import { floorId, type Seal } from '../../log/history.ts';
import type { Log } from '../../log/log.ts';
import { withdrawnType } from '../../log/withdrawals.ts';
import { usage } from '../../projections/usage.ts';
import type { UsageViews } from '../../queries/usage-views.ts';
import { planWithdrawal, type WithdrawnRecords } from '../../queries/withdrawing.ts';
import { callerOf } from '../access.ts';
import { answering, type Reply } from '../answering.ts';

const Body = Type.Object(
  {
    event: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'An id.' })),
    session: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'All that the log has of it, and whatever comes later.',
      }),
    ),
    token: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'The id of a token.' }),
    ),
    since: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'With a token: what was received with it from this instant until now.',
      }),
    ),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only count what would be withdrawn.' })),
  },
  { additionalProperties: false, description: 'One of event, session and token.' },
);
type Body = Static<typeof Body>;

export interface WithdrawalRoutesOptions extends UsageViews {
  readonly log: Log;
  /** How many cells the ledger has. */
  readonly cells: number;
  readonly ingest: Pick<Ingest, 'accept'>;
  readonly tokens: Pick<Tokens, 'list'>;
  readonly now: () => number;
}

export function withdrawalRoutes(options: WithdrawalRoutesOptions) {
  const { log, now } = options;
  return async (app: FastifyInstance): Promise<void> => {
    app.get<Reply<'GET /v1/withdrawals'>>(
      '/v1/withdrawals',
      {
        config: { scope: 'admin' },
        schema: answering('GET /v1/withdrawals', {
          summary: 'What was taken back',
          tags: ['log'],
        }),
      },
      async () => ({ rows: (await log.withdrawals()).list.map(toRow), next: null }),
    );
    app.post<{ Body: Body } & Reply<'POST /v1/withdrawals'>>(
      '/v1/withdrawals',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/withdrawals', {
          summary: 'Take events back',
          tags: ['log'],
          body: Body,
        }),
      },
      async (request) => {
        const { body } = request;
        const token = body.token === undefined ? null : await findToken(options, body.token);
        const named = readNamed(body, token, now());
        await expectOpen(options, named);
        const { answer, records } = await planWithdrawal(log, named);
        if (answer.events === 0) await explainNothing(log, named);
        const by = callerOf(request).user;
        if (body.dryRun !== true)
          for (const each of records) await append(options, { ...body, by }, each);
        return answer;
      },
    );
  };
}

type Row = Reply<'GET /v1/withdrawals'>['Reply']['rows'][number];

function toRow({ time, data }: Awaited<ReturnType<Log['withdrawals']>>['list'][number]): Row {
  const { records, reason, by } = data;
  const { events, session, token } = records;
  return {
    at: time,
    events,
    session,
    token: token?.id ?? null,
    since: token?.since ?? null,
    until: token?.until ?? null,
    reason,
    by,
  };
}

function readNamed(
  { event, session, since }: Body,
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
async function findToken({ tokens }: WithdrawalRoutesOptions, id: string): Promise<string> {
  const known = (await tokens.list()).some((token) => token.id === id);
  if (known) return id;
  const message = 'token: there is no token with this id; `pi-ledger token list` has them.';
  throw new LedgerError('not_found', { field: 'token', message });
}

function readInstant(text: string, nowMs: number): string {
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw bad('since', 'must be a day (2026-11-22, UTC) or an instant (2026-11-22T14:00:00Z).');
  if (ms > nowMs) throw bad('since', 'must not be in the future.');
  return new Date(ms).toISOString();
}

function bad(field: string, message: string): LedgerError {
  return new LedgerError('bad_parameter', { field, message: `${field}: ${message}` });
}

/** Refuses what is sealed: its events are gone, and only their sums are left. */
async function expectOpen(options: WithdrawalRoutesOptions, named: WithdrawnRecords) {
  const seal = await options.log.history.seal();
  if (seal === null) return;
  const day = new Date(seal.floorMs).toISOString().slice(0, 10);
  const sealed = `what happened before ${day} is sealed, and cannot be withdrawn.`;
  if (named.events.some((id) => id < floorId(seal.floorMs))) throw bad('event', sealed);
  if (named.token !== null && Date.parse(named.token.since) < seal.floorMs)
    throw bad('since', `${sealed} Choose ${day} or later.`);
  if (named.session !== null && (await hasSealed(options, named.session, seal)))
    throw bad('session', `${sealed} A part of this session is.`);
}

async function hasSealed(
  { views, sessions }: UsageViews,
  session: string,
  { floorMs }: Seal,
): Promise<boolean> {
  const hour = new Date(floorMs).toISOString().slice(0, 13);
  const rows = await views.sum(sessions, usage, {
    by: ['session'],
    where: [
      { column: 'session', is: 'in', values: [session] },
      { column: 'hour', is: 'before', values: [hour] },
    ],
  });
  return rows.length > 0;
}

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

/** One event for each cell: what a token sent may be in any. */
async function append(
  { ingest, cells, now }: WithdrawalRoutesOptions,
  { reason, by }: Pick<Body, 'reason'> & { readonly by: string | null },
  records: WithdrawnRecords,
): Promise<void> {
  const atMs = now();
  const events = subjectsOfCells(cells).map((subject) => ({
    specversion: '1.0',
    id: liveEventId(atMs),
    source: '/collector',
    type: withdrawnType,
    time: new Date(atMs).toISOString(),
    subject,
    data: { records, reason, by },
  }));
  const { rejected } = await ingest.accept(events, undefined, { is: 'record' });
  const [first] = rejected;
  if (first !== undefined)
    throw new LedgerError('bad_parameter', { field: first.field, message: first.message });
}

function subjectsOfCells(cells: number): readonly string[] {
  const subjects = new Map<number, string>();
  for (let number = 0; subjects.size < cells; number += 1) {
    const subject = `/withdrawals/${number}`;
    subjects.set(cellOfText(subject, cells), subject);
  }
  return [...subjects.values()];
}
