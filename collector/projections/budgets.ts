/**
 * The projection `budgets`: what `pi.budget.*` events say. A document holds either the definitions
 * of one budget (key: its name), or one crossing (key: budget, version, period and number).
 *
 * Guarantees: a function of the set of events in any order. Of more definitions than
 * `definitionsMax`, the latest are kept.
 */
import type { EventData, LedgerEvent } from '@pi-ledger/contract';
import type { Projection } from './projection.ts';
import { compareText } from './session/compare-text.ts';

export type SaidDefinition = EventData<'pi.budget.defined.v1'> & {
  /** When it was said. */
  readonly at: string;
};

export type SaidCrossing = EventData<'pi.budget.crossed.v1'> & { readonly at: string };

export interface BudgetDocument {
  readonly is: 'definitions' | 'crossing';
  readonly budget: string;
  /** By revision; the last one is in force. */
  definitions: readonly SaidDefinition[];
  crossing: SaidCrossing | null;
}

const definitionsMax = 200;

export const budgets: Projection<BudgetDocument> = {
  name: 'budgets',
  version: 1,
  settings: '',
  rollups: [],
  columns: {
    /** `definitions` or `crossing`. */
    is: 'text',
    budget: 'text',
    /** Empty: of any. */
    project: 'text',
    user: 'text',
    /** Only a crossing has these two; else they are empty. */
    version: 'text',
    periodEnd: 'text',
    /** When it was said last. */
    at: 'text',
  },
  indexes: [
    ['is', 'at'],
    ['is', 'budget', 'at'],
    ['is', 'version', 'periodEnd'],
  ],
  key({ event }) {
    if (event.type === 'pi.budget.defined.v1') return JSON.stringify([event.data.budget]);
    return event.type === 'pi.budget.crossed.v1' ? crossingKey(event.data) : null;
  },
  initial(key) {
    const [budget, version] = keyParts(key);
    const is = version === undefined ? 'definitions' : 'crossing';
    return { is, budget, definitions: [], crossing: null };
  },
  evolve(state, { event }) {
    if (event.type === 'pi.budget.defined.v1') define(state, event);
    if (event.type === 'pi.budget.crossed.v1') cross(state, event);
    return state;
  },
  columnsOf: ({ is, budget, definitions, crossing }) => ({
    is,
    budget,
    project: (crossing ?? lastScope(definitions))?.project ?? '',
    user: (crossing ?? lastScope(definitions))?.user ?? '',
    version: crossing?.version ?? '',
    periodEnd: crossing?.period.end ?? '',
    at: crossing?.at ?? definitions.at(-1)?.at ?? '',
  }),
  encode: (state) => JSON.stringify(state),
  decode: (body) => JSON.parse(body),
  sealing: {
    open: (body, version) => (version === 1 ? JSON.parse(body) : null),
    emit: () => undefined,
    cumulative: [],
  },
};

function crossingKey({
  budget,
  version,
  period,
  number,
}: EventData<'pi.budget.crossed.v1'>): string {
  return JSON.stringify([budget, version, period.end, number]).toWellFormed();
}

function keyParts(key: string): [budget: string, version?: string] {
  return JSON.parse(key);
}

/** Whose it is, also after it was removed. */
function lastScope(definitions: readonly SaidDefinition[]) {
  return definitions.findLast(({ definition }) => definition !== null)?.definition;
}

function define(state: BudgetDocument, event: LedgerEvent<'pi.budget.defined.v1'>): void {
  const { budget, revision, version, definition } = event.data;
  const said = { budget, revision, version, definition, at: event.time };
  state.definitions = [...state.definitions, said]
    .toSorted((left, right) => left.revision - right.revision || compareSaid(left, right))
    .slice(-definitionsMax);
}

function compareSaid(left: SaidDefinition, right: SaidDefinition): number {
  return compareText(JSON.stringify(left), JSON.stringify(right));
}

/**
 * Two crossings have one key only in a damaged ledger; the same one counts, whichever came first.
 */
function cross(state: BudgetDocument, { time, data }: LedgerEvent<'pi.budget.crossed.v1'>): void {
  const said = { ...data, at: time };
  const isLater =
    state.crossing === null ||
    compareText(JSON.stringify(said), JSON.stringify(state.crossing)) < 0;
  if (isLater) state.crossing = said;
}
