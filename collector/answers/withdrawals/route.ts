/**
 * `POST /v1/withdrawals`: takes back events that should not have come, by an event of its own; the
 * views are then folded anew without them. `GET /v1/withdrawals`: what was taken back.
 */
import type { WithdrawalList, Withdrawn } from '@pi-ledger/contract/answers';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { requestCaller } from '../../http/access.ts';
import { answering, type Reply } from '../../http/answering.ts';
import type { Withdrawal } from '../../log/withdrawals.ts';

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
    reason: Type.String({ maxLength: 500, pattern: '\\S', description: 'Not blank.' }),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only count what would be withdrawn.' })),
  },
  { additionalProperties: false, description: 'One of event, session and token.' },
);

/** One of event, session and token. */
export interface WithdrawalRequest {
  readonly event?: string;
  readonly session?: string;
  readonly token?: string;
  /** With a token. */
  readonly since?: string;
  readonly reason: string;
  readonly by: string | null;
  readonly dryRun?: boolean;
}

export interface Withdrawing {
  /** In the order in which they came. */
  list(): Promise<readonly Withdrawal[]>;
  withdraw(request: WithdrawalRequest): Promise<Withdrawn>;
}

interface WithdrawalsAsked {
  readonly withdrawing: Withdrawing;
}

export function routes({ withdrawing: { list, withdraw } }: WithdrawalsAsked) {
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
      async () => ({ rows: (await list()).map(toRow), next: null }),
    );
    app.post<{ Body: Static<typeof Body> } & Reply<'POST /v1/withdrawals'>>(
      '/v1/withdrawals',
      {
        // What others sent with their tokens, no program without one takes back.
        config: { scope: 'tokens' },
        schema: answering('POST /v1/withdrawals', {
          summary: 'Take events back',
          tags: ['log'],
          body: Body,
        }),
      },
      (request) => withdraw({ ...request.body, by: requestCaller(request).user }),
    );
  };
}

function toRow({ time, data }: Withdrawal): WithdrawalList['rows'][number] {
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
