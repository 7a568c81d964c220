/** `GET /v1/usage`: what was spent, grouped by one thing or several and narrowed by any. */
import { figureColumns, type Usage } from '@pi-ledger/contract/answers';
import type { Grouping } from '@pi-ledger/contract/groupings';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requestCaller } from '../../http/access.ts';
import { answering } from '../../http/answering.ts';
import { amountIn, cutPage, decodeCursor, encodeCursor, fitPage } from '../../http/cursor.ts';
import { sendList } from '../../http/formats.ts';
import {
  formatParameter,
  limitDefault,
  pageParameters,
  timezoneParameter,
} from '../../http/parameters.ts';
import { inTurns } from '../../timers/in-turns.ts';
import { rankLength } from '../spend/figures.ts';
import { expectGroupings } from '../spend/grouping.ts';
import { hiddenIn } from '../spend/shown-names.ts';
import type { ReportViews } from '../spend/sums.ts';
import { groupsVisibleTo, visibleTo } from '../views/visible-to.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import { type LastDayOf, lastDays } from './last-days.ts';
import { usageReport } from './query.ts';
import { comparePlaces, type Place, type Report, type ReportRow } from './report.ts';
import { usageParameters } from './route-parameters.ts';
import { type SessionCounts, sessionCounts } from './session-counts.ts';
import type { ShownLabels } from './shown-labels.ts';
import type { LargeGroups } from './small-groups.ts';

const lastDayParameter = {
  lastDay: Type.Optional(
    Type.Enum(['include', 'exclude'], {
      default: 'exclude',
      description:
        'Whether each row says the last day on which it has spend; not for rows by time, nor for ' +
        'callers who are told of large groups only.',
    }),
  ),
};
const sessionsParameter = {
  sessions: Type.Optional(
    Type.Enum(['include', 'exclude'], {
      default: 'exclude',
      description:
        'Whether each row and the total say how many sessions have spend in them; not for ' +
        'callers who are told of large groups only.',
    }),
  ),
};
const Query = Type.Object(
  {
    ...usageParameters,
    ...lastDayParameter,
    ...sessionsParameter,
    ...timezoneParameter,
    ...pageParameters,
    ...formatParameter,
  },
  { additionalProperties: false },
);
type Query = Static<typeof Query>;

export function routes({ now, ...asked }: ReportViews & { readonly now: () => number }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: Query }>(
      '/v1/usage',
      {
        config: { scope: 'read', hidesSmallGroups: true },
        schema: answering('GET /v1/usage', {
          summary: 'What was spent, grouped by one thing or several',
          tags: ['views'],
          querystring: Query,
        }),
      },
      async (request, reply) => {
        const { by: asking = 'project', limit = limitDefault, cursor } = request.query;
        const by = expectGroupings(asking);
        const visible = visibleTo(request, asked);
        const groups = groupsVisibleTo(request, asked.views, by, now());
        const { rows, total, names } = await usageReport(
          { ...asked, views: groups?.views ?? asked.views },
          visible,
          by,
          request.query,
        );
        const { lastDayOf, counts } = await asideOf(request, asked, visible, by, names);
        const page = cutPage(rowsAfter(by, rows, cursor), limit, cursorOf);
        const all: Usage['rows'][number][] = [];
        await inTurns(page.rows, ({ labels, sessions, figures, cache }) => {
          all.push({
            ...labels,
            ...sessionsIn(counts?.of(labels) ?? sessions),
            ...figures,
            ...(cache === null || groups !== null ? {} : { cache }),
            ...lastDayIn(lastDayOf(labels)),
          });
        });
        const { rows: shown, next } = await fitPage(
          { rows: all, places: page.rows, next: page.next },
          cursorOf,
        );
        return sendList('GET /v1/usage', request, reply, {
          columns: [
            ...by,
            ...(by.includes('tree') || counts !== null ? ['sessions'] : []),
            ...figureColumns,
            ...(request.query.lastDay === 'include' ? ['lastDay'] : []),
          ],
          answer: {
            by,
            rows: shown,
            total: totalIn(total, counts, groups),
            ...leftOutOf(groups),
            ...hiddenIn(names.hiddenCount),
            next,
          },
        });
      },
    );
  };
}

/** What is asked for beside the figures. Nobody with a floor for small groups is told. */
async function asideOf(
  request: FastifyRequest<{ Querystring: Query }>,
  asked: ReportViews,
  visible: VisibleViews,
  by: readonly Grouping[],
  names: ShownLabels,
): Promise<{ readonly lastDayOf: LastDayOf; readonly counts: SessionCounts | null }> {
  const { query } = request;
  const isTold = requestCaller(request).usersMin === 0;
  const isDayAsked = isTold && query.lastDay === 'include';
  const isCountAsked = isTold && query.sessions === 'include';
  return {
    lastDayOf: isDayAsked ? await lastDays(asked, visible, by, query, names) : () => null,
    counts: isCountAsked ? await sessionCounts(asked, visible, by, query, names) : null,
  };
}

function totalIn(
  { cache, ...figures }: Report['total'],
  counts: SessionCounts | null,
  groups: LargeGroups | null,
): Usage['total'] {
  const isCacheTold = cache !== undefined && groups === null;
  return { ...figures, ...(isCacheTold ? { cache } : {}), ...sessionsIn(counts?.total ?? null) };
}

function leftOutOf(groups: LargeGroups | null): Pick<Usage, 'toldUntil' | 'leftOutGroups'> {
  if (groups === null) return {};
  const count = groups.left();
  return { toldUntil: groups.until, ...(count === 0 ? {} : { leftOutGroups: count }) };
}

function sessionsIn(sessions: number | null): { readonly sessions?: number } {
  return sessions === null ? {} : { sessions };
}

function lastDayIn(lastDay: string | null): { readonly lastDay?: string } {
  return lastDay === null ? {} : { lastDay };
}

const levelParts = rankLength + 1;

function cursorOf({ place }: Pick<ReportRow, 'place'>): string {
  return encodeCursor(
    place.flatMap(({ label, rank }) => [label, ...rank.map((each) => each.toString())]),
  );
}

function rowsAfter(
  by: readonly Grouping[],
  rows: readonly ReportRow[],
  cursor: string | undefined,
): readonly ReportRow[] {
  const parts = decodeCursor(cursor, levelParts * by.length);
  if (parts === null) return rows;
  const place: Place = by.map((_, index) => {
    const [label, ...rank] = parts.slice(levelParts * index, levelParts * (index + 1));
    return { label: String(label), rank: rank.map(amountIn) };
  });
  return rows.filter((row) => comparePlaces(by, row.place, place) > 0);
}
