/**
 * The projection `quota`: what providers said of their limits (key: the session in whose responses
 * they said it). Of each provider and window it holds the newest statement, by the event's time,
 * and how full each window was, hour by hour. Whose plan it is follows from the session's own
 * document.
 *
 * Guarantees: a function of the set of events in any order. Of more windows than `statementsMax`,
 * those last heard of are kept.
 */
import type { Projection } from './projection.ts';
import type { StatedLimit, Statement } from './quota/statement.ts';
import {
  noteShare,
  type SharesByWindow,
  type StoredShares,
  sharesByWindow,
  storedShares,
} from './quota/window-shares.ts';
import { compareText } from './session/compare-text.ts';

interface QuotaStatements {
  readonly session: string;
  /** By provider and window. */
  readonly statements: Map<string, Statement>;
  readonly windows: SharesByWindow;
}

interface Body {
  readonly session: string;
  readonly statements: readonly Statement[];
  /**
   * JSON of them: a text, since who asks for the statements needs none of it. Not in documents of
   * version 1.
   */
  readonly windows?: string;
}

/** A provider has about a dozen windows. */
const statementsMax = 64;

export const quota: Projection<QuotaStatements> = {
  name: 'quota',
  version: 2,
  settings: '',
  rollups: [],
  columns: { toldAt: 'text' },
  indexes: [['toldAt']],
  key: ({ event }) =>
    event.type === 'pi.response.received.v1' && event.data.limits.length > 0
      ? event.subject.toWellFormed()
      : null,
  initial: (session) => ({ session, statements: new Map(), windows: new Map() }),
  evolve(state, { event }) {
    if (event.type !== 'pi.response.received.v1') return state;
    const provider = (event.data.provider ?? '').toWellFormed();
    for (const limit of event.data.limits) {
      const statement = toStatement(event.time, provider, limit);
      keep(state.statements, statement);
      noteShare(state.windows, statement);
    }
    return state;
  },
  columnsOf: ({ statements }) => ({
    toldAt: [...statements.values()].reduce((last, { time }) => (time > last ? time : last), ''),
  }),
  encode({ session, statements, windows }) {
    const sorted = [...statements].toSorted(([left], [right]) => compareText(left, right));
    const body: Body = {
      session,
      statements: sorted.map(([, statement]) => statement),
      windows: JSON.stringify(storedShares(windows)),
    };
    return JSON.stringify(body);
  },
  decode,
  sealing: {
    open: (body, version) => (version === 1 || version === 2 ? decode(body) : null),
    emit: () => undefined,
    cumulative: [],
  },
};

function decode(text: string): QuotaStatements {
  const { session, statements, windows = '[]' }: Body = JSON.parse(text);
  return {
    session,
    statements: new Map(statements.map((each) => [windowKey(each), each])),
    windows: sharesByWindow(JSON.parse(windows)),
  };
}

/** Reads a document's statements and nothing else of it. */
export function statementsIn(body: string): readonly Statement[] {
  return (JSON.parse(body) as Body).statements;
}

/** How full windows were, of a document. */
export function sharesIn(body: string): readonly StoredShares[] {
  return JSON.parse((JSON.parse(body) as Body).windows ?? '[]');
}

/** Built field by field: the producer's key order and unknown fields leave no trace. */
function toStatement(time: string, provider: string, limit: StatedLimit): Statement {
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

function windowKey({ provider, window }: Statement): string {
  return JSON.stringify([provider, window]);
}

function keep(statements: Map<string, Statement>, added: Statement): void {
  const key = windowKey(added);
  const known = statements.get(key);
  if (known === undefined || compareAge(added, known) > 0) statements.set(key, added);
  if (statements.size <= statementsMax) return;
  const oldest = [...statements].reduce((old, each) =>
    compareAge(each[1], old[1]) < 0 ? each : old,
  );
  statements.delete(oldest[0]);
}

/** When two statements are of the same moment, their text decides, whichever came first. */
function compareAge(left: Statement, right: Statement): number {
  return (
    compareText(left.time, right.time) || compareText(statementText(left), statementText(right))
  );
}

function statementText(statement: Statement): string {
  return JSON.stringify(statement);
}
