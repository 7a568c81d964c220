/**
 * The projection `quota`: what providers said of their limits (key: the session in whose responses
 * they said it). Of each provider and window it holds the newest statement, by the event's time.
 * Whose plan it is follows from the session's own document.
 *
 * Guarantees: a function of the set of events in any order. Of more windows than `statementsMax`,
 * those last heard of are kept.
 */
import type { EventData } from '@pi-ledger/contract';
import type { Projection } from './projection.ts';
import { compareText } from './session/compare-text.ts';

type RateLimit = EventData<'pi.response.received.v1'>['limits'][number];

export interface QuotaStatement extends RateLimit {
  /** When the response came. */
  readonly time: string;
  /** Empty when unknown. */
  readonly provider: string;
}

export interface QuotaStatements {
  readonly session: string;
  /** By provider and window. */
  readonly statements: Map<string, QuotaStatement>;
}

interface Body {
  readonly session: string;
  readonly statements: readonly QuotaStatement[];
}

/** A provider has about a dozen windows. */
const statementsMax = 64;

export const quota: Projection<QuotaStatements> = {
  name: 'quota',
  version: 1,
  settings: '',
  rollups: [],
  columns: { toldAt: 'text' },
  indexes: [['toldAt']],
  key: ({ event }) =>
    event.type === 'pi.response.received.v1' && event.data.limits.length > 0
      ? event.subject.toWellFormed()
      : null,
  initial: (session) => ({ session, statements: new Map() }),
  evolve(state, { event }) {
    if (event.type !== 'pi.response.received.v1') return state;
    const provider = (event.data.provider ?? '').toWellFormed();
    for (const limit of event.data.limits)
      keep(state.statements, statementOf(event.time, provider, limit));
    return state;
  },
  columnsOf: ({ statements }) => ({
    toldAt: [...statements.values()].reduce((last, { time }) => (time > last ? time : last), ''),
  }),
  encode({ session, statements }) {
    const sorted = [...statements].toSorted(([left], [right]) => compareText(left, right));
    const body: Body = { session, statements: sorted.map(([, statement]) => statement) };
    return JSON.stringify(body);
  },
  decode,
  sealing: {
    open: (body, version) => (version === 1 ? decode(body) : null),
    emit: () => undefined,
    cumulative: [],
  },
};

function decode(text: string): QuotaStatements {
  const { session, statements }: Body = JSON.parse(text);
  return { session, statements: new Map(statements.map((each) => [keyOf(each), each])) };
}

/** Built field by field: the producer's key order and unknown fields leave no trace. */
function statementOf(time: string, provider: string, limit: RateLimit): QuotaStatement {
  return {
    time,
    provider,
    window: limit.window,
    limit: limit.limit,
    remaining: limit.remaining,
    utilization: limit.utilization,
    resetAtMs: limit.resetAtMs,
    status: limit.status,
  };
}

function keyOf({ provider, window }: QuotaStatement): string {
  return JSON.stringify([provider, window]);
}

function keep(statements: Map<string, QuotaStatement>, added: QuotaStatement): void {
  const key = keyOf(added);
  const known = statements.get(key);
  if (known === undefined || compareAge(added, known) > 0) statements.set(key, added);
  if (statements.size <= statementsMax) return;
  const oldest = [...statements].reduce((old, each) =>
    compareAge(each[1], old[1]) < 0 ? each : old,
  );
  statements.delete(oldest[0]);
}

/** Of two statements of the same moment, their text decides, whichever came first. */
function compareAge(left: QuotaStatement, right: QuotaStatement): number {
  return compareText(left.time, right.time) || compareText(textOf(left), textOf(right));
}

function textOf(statement: QuotaStatement): string {
  return JSON.stringify(statement);
}
