/** `POST /v1/labels`: labels records after the fact, by an event for each session that fits. */
import { LabelChange, type LedgerEvent } from '@pi-ledger/contract';
import { liveEventId } from '@pi-ledger/core/record/identity/event-id';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { answering, type Reply } from '../../http/answering.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import { selectionNames } from '../../projections/session/notes/select.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { expectDayOrMinute, planLabels } from './query.ts';

const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 500 }));
const Body = Type.Object(
  {
    labels: LabelChange,
    since: Type.Optional(Type.String({ maxLength: 40 })),
    until: Type.Optional(Type.String({ maxLength: 40 })),
    project: Name,
    branch: Name,
    user: Name,
    machine: Name,
    host: Name,
    provider: Name,
    model: Name,
    dryRun: Type.Optional(Type.Boolean({ description: 'Only count what would be labelled.' })),
  },
  {
    additionalProperties: false,
    description:
      "Days (inclusive) are the spender's own; instants count to the minute, and the end is " +
      'exclusive. At least one of these says which records. A label that is null takes back what ' +
      'was said after the fact.',
  },
);
type Body = Static<typeof Body>;

export interface LabelRoutesOptions extends UsageViews {
  readonly ingest: Pick<Ingest, 'accept'>;
  readonly now: () => number;
  /** Called before views are read (groups.ts). */
  settleViews(): Promise<void>;
}

export function routes(options: LabelRoutesOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.post<{ Body: Body } & Reply<'POST /v1/labels'>>(
      '/v1/labels',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/labels', {
          summary: 'Label records after the fact',
          tags: ['views'],
          body: Body,
        }),
      },
      async ({ body }) => {
        const labelling = labellingOf(body);
        await options.settleViews();
        const { answer, sessions } = await planLabels(options, labelling);
        if (body.dryRun !== true && sessions.length > 0) {
          await append(options, sessions, labelling);
          await options.settleViews();
        }
        return answer;
      },
    );
  };
}

type Labelling = LedgerEvent<'pi.records.labelled.v1'>['data'];

function labellingOf({ labels, since, until, dryRun: _, ...names }: Body): Labelling {
  if (since === undefined && until === undefined && Object.keys(names).length === 0)
    throw new LedgerError('bad_parameter', {
      field: '',
      message: `which records: at least one of since, until, ${selectionNames.join(', ')}.`,
    });
  return {
    labels,
    records: {
      since: since === undefined ? null : expectDayOrMinute('since', since),
      until: until === undefined ? null : expectDayOrMinute('until', until),
      project: names.project ?? null,
      branch: names.branch ?? null,
      user: names.user ?? null,
      machine: names.machine ?? null,
      host: names.host ?? null,
      provider: names.provider ?? null,
      model: names.model ?? null,
    },
  };
}

async function append(
  { ingest, now }: LabelRoutesOptions,
  sessions: readonly string[],
  data: Labelling,
): Promise<void> {
  const atMs = now();
  const time = new Date(atMs).toISOString();
  for (let from = 0; from < sessions.length; from += eventsPerBatch) {
    const events = sessions.slice(from, from + eventsPerBatch).map((subject) => ({
      specversion: '1.0',
      id: liveEventId(atMs),
      source: '/collector',
      type: 'pi.records.labelled.v1',
      time,
      subject,
      data,
    }));
    const { rejected } = await ingest.accept(events, undefined, { is: 'record' });
    const [first] = rejected;
    if (first !== undefined)
      throw new LedgerError('bad_parameter', { field: first.field, message: first.message });
  }
}

const eventsPerBatch = 500;
