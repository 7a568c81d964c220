/** Which models, tools and agents the lists of timings show, as `shown-names.ts` chooses them. */

import type { Rollup } from '../../projections/projection.ts';
import { sessions } from '../../projections/sessions.ts';
import { answers, statuses } from '../../projections/timings/rollups.ts';
import { timings } from '../../projections/timings.ts';
import { usage } from '../../projections/usage.ts';
import { inTurns } from '../../timers/in-turns.ts';
import type { Condition, SumRow, ViewsReader } from '../../views/views.ts';
import { hiddenNames, otherNames } from '../spend/shown-names.ts';

type Dimensions = SumRow['dimensions'];

/** What a list was made of. */
export interface Listed {
  /** As the caller may see them. */
  readonly views: ViewsReader;
  readonly where: readonly Condition[];
  readonly rows: readonly SumRow[];
}

export const modelNames = ['provider', 'model'] as const;
const byUser = [...modelNames, 'user'];
const largestSpend = ['nanoUsd', 'outputTokens', 'inputTokens', 'records'];

/** Considers all spend and all answers. */
export async function hiddenModels({ views, where, rows }: Listed): Promise<ReadonlySet<string>> {
  return hiddenNames(await namesIn(rows, knownModelOf), {
    nameOf: knownModelOf,
    byUser: async () => [
      ...(await views.sum(sessions, usage, { by: byUser, where })),
      // An answer is spend, too, and has been counted.
      ...(await views.sum(timings, answers, { by: byUser, where })).map(withoutSums),
      ...(await views.sum(timings, statuses, { by: byUser, where })).map(withoutSums),
    ],
    largest: largestSpend,
  });
}

/** Considers the rows of one rollup of `timings`. */
export async function hiddenModelsIn(
  rollup: Rollup,
  { views, where, rows }: Listed,
): Promise<ReadonlySet<string>> {
  return hiddenNames(await namesIn(rows, knownModelOf), {
    nameOf: knownModelOf,
    byUser: () => views.sum(timings, rollup, { by: byUser, where }),
    largest: ['nanoUsd', 'calls', 'answers'],
  });
}

/** Tools or agents. `largest`: the measure that says which of two is larger. */
export async function hiddenWords(
  rollup: Rollup,
  dimension: 'tool' | 'agent',
  largest: string,
  { views, where, rows }: Listed,
): Promise<ReadonlySet<string>> {
  const nameOf = (dimensions: Dimensions): string => dimensions[dimension] ?? '';
  return hiddenNames(await namesIn(rows, nameOf), {
    nameOf,
    byUser: () => views.sum(timings, rollup, { by: [dimension, 'user'], where }),
    largest: [largest],
  });
}

/** A model's key, or that of all hidden ones. */
export function shownModel(hidden: ReadonlySet<string>): (dimensions: Dimensions) => string {
  return (dimensions) => {
    const key = modelOf(dimensions);
    return hidden.has(key) ? otherModels : key;
  };
}

export function shownWord(hidden: ReadonlySet<string>, name = ''): string {
  return hidden.has(name) ? otherNames : name;
}

/** Unknown names are empty. */
export function readModel(key: string): readonly [provider: string, model: string] {
  return JSON.parse(key);
}

const otherModels = JSON.stringify([otherNames, otherNames]);

function modelOf({ provider = '', model = '' }: Dimensions): string {
  return JSON.stringify([provider, model]);
}

/** Empty: nothing is known of it, and that is never hidden. */
function knownModelOf(dimensions: Dimensions): string {
  const key = modelOf(dimensions);
  return key === unknownModel ? '' : key;
}

const unknownModel = JSON.stringify(['', '']);

async function namesIn(
  rows: readonly SumRow[],
  nameOf: (dimensions: Dimensions) => string,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await inTurns(rows, ({ dimensions }) => names.add(nameOf(dimensions)));
  names.delete('');
  return names;
}

function withoutSums({ dimensions }: SumRow): SumRow {
  return { dimensions, measures: {} };
}
