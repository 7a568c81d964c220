/** Documents whose events are spread over cells are those of one fold. */
import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partitionOf } from '../../../../collector/ingest/kafka/partition-of.ts';
import { compactions } from '../../../../collector/projections/compactions.ts';
import { createHeads } from '../../../../collector/projections/heads.ts';
import { producers } from '../../../../collector/projections/producers.ts';
import type { Part, Projection } from '../../../../collector/projections/projection.ts';
import { createProjections } from '../../../../collector/projections/registry.ts';
import { noRules } from '../../../../collector/projections/rules.ts';
import { anyEvent } from '../../projections/support/any-event.ts';
import { fold } from '../../projections/support/fold.ts';
import { attributed, event, stored } from '../../projections/support/given.ts';
import { moves } from '../../projections/support/given-moves.ts';

const session = fc.integer({ min: 1, max: 6 }).map((number) => `s${number}`);
const minute = fc.nat(5).map((number) => `2026-11-22T10:0${number}:00.000Z`);
const source = fc.constantFrom('/producers/one', '/producers/two');

const heard: fc.Arbitrary<LedgerEvent> = fc
  .record({
    place: fc.record({ at: minute, session, source }),
    type: fc.constantFrom('said', 'attributed', 'reported'),
    sequence: fc.option(fc.integer({ min: 1, max: 9 })),
    machine: fc.constantFrom('laptop', 'workbench'),
    user: fc.constantFrom('ada', 'grace'),
    lost: fc.nat(3),
  })
  .map(({ place, type, sequence, machine, user, lost }) => ({
    ...(type === 'said'
      ? event('pi.prompt.submitted.v1', place)
      : type === 'attributed'
        ? event('pi.session.attributed.v1', place, { machine, user })
        : event('pi.producer.reported.v1', place, {
            dropped: {
              spoolFull: lost,
              spoolUnwritable: 0,
              eventTooLarge: 3 - lost,
              recordFailed: 0,
            },
          })),
    ...(sequence === null ? {} : { sequence: String(sequence).padStart(10, '0') }),
  }));

const sighted: fc.Arbitrary<LedgerEvent> = fc
  .record({
    place: fc.record({ at: minute, session }),
    commit: fc.constantFrom('a', 'b', 'c', null),
    cwd: fc.constantFrom('/srv/shop', '/tmp/shop'),
    branch: fc.constantFrom('main', null),
  })
  .map(({ place, commit, cwd, branch }) =>
    event('pi.head.observed.v1', place, {
      ...{ cwd, machine: 'workbench', afterTurn: false },
      project: { name: 'shop', remote: null, branch },
      commit: commit?.repeat(40) ?? null,
    }),
  );

/** A compaction that went from session to session, each in another cell or in the same. */
const wandering: fc.Arbitrary<readonly LedgerEvent[]> = fc
  .tuple(minute, fc.array(session, { minLength: 1, maxLength: 4 }))
  .map(([at, [first = '', ...others]]) => {
    const entry = event('pi.compaction.completed.v1', { at, session: first }, { entryId: 'c1' });
    let subject = first;
    return [
      entry,
      ...others.flatMap((to) => {
        const from = subject;
        subject = to;
        return from === to ? [] : moves({ ...entry, subject: from }, to);
      }),
    ];
  });

const ruled = createHeads({ ...noRules, projects: [{ match: '/srv/**', as: 'store' }] });
const cases: readonly {
  readonly name: string;
  readonly projection: Projection;
  readonly events: fc.Arbitrary<readonly LedgerEvent[]>;
}[] = [
  { name: 'producers', projection: producers, events: fc.array(heard, { maxLength: 30 }) },
  { name: 'heads', projection: ruled, events: fc.array(sighted, { maxLength: 30 }) },
  {
    name: 'compactions',
    projection: compactions,
    events: fc.array(wandering, { maxLength: 4 }).map((each) => each.flat()),
  },
];

function partsOf(
  projection: Projection,
  events: readonly LedgerEvent[],
  cells: number,
): ReadonlyMap<string, readonly Part<unknown>[]> {
  const states = new Map<string, Map<number, unknown>>();
  for (const each of stored(events)) {
    const key = projection.key(each);
    if (key === null) continue;
    const own = states.get(key) ?? new Map<number, unknown>();
    const cell = partitionOf(each.event, cells);
    const state = own.get(cell) ?? projection.initial(key);
    states.set(
      key,
      own.set(
        cell,
        projection.evolve(state, each, () => undefined),
      ),
    );
  }
  return new Map(
    [...states].map(([key, own]) => [
      key,
      [...own.values()].map((state) => ({
        state: projection.decode(projection.encode(state)),
        columns: projection.columnsOf(state),
      })),
    ]),
  );
}

describe.each(cases)('parts of $name', ({ projection, events }) => {
  const join = projection.joining?.join;
  if (join === undefined) throw new Error('it has no parts');
  const textOf = ({ state, columns }: Part<unknown>) => [projection.encode(state), columns];

  it('come together to the document of one fold, in any order and grouping', () => {
    const shuffled = fc.tuple(events, fc.integer({ min: 2, max: 8 }), fc.infiniteStream(fc.nat()));
    let joined = 0;
    fc.assert(
      fc.property(shuffled, ([given, cells, draws]) => {
        const whole = fold(projection, given);
        const parts = partsOf(projection, given, cells);
        expect([...parts.keys()].toSorted()).toEqual([...whole.states.keys()].toSorted());
        for (const [key, all] of parts) {
          const state = whole.states.get(key);
          const left = [...all];
          while (left.length > 1) {
            const [one] = left.splice((draws.next().value ?? 0) % left.length, 1);
            const at = (draws.next().value ?? 0) % left.length;
            const other = left[at];
            if (one === undefined || other === undefined) throw new Error('there are two');
            const before = [textOf(one), textOf(other)];
            left[at] = join(one, other);
            expect([textOf(one), textOf(other)]).toEqual(before);
            joined += 1;
          }
          expect(left.map(textOf)).toEqual([
            [projection.encode(state), projection.columnsOf(state)],
          ]);
        }
      }),
      { numRuns: 200 },
    );
    expect(joined).toBeGreaterThan(100);
  });

  it('give each column of the whole the value of a part', () => {
    fc.assert(
      fc.property(events, (given) => {
        for (const parts of partsOf(projection, given, 4).values()) {
          const { columns } = parts.reduce((left, right) => join(left, right));
          for (const [name, value] of Object.entries(columns))
            expect(parts.map((part) => part.columns[name])).toContain(value);
          if (projection.joining?.isOnePart)
            expect(parts.map((part) => part.columns)).toContainEqual(columns);
        }
      }),
    );
  });
});

it('no other projection has parts in several cells', () => {
  const others = createProjections(noRules).filter(({ joining }) => joining === undefined);
  const defined = event('pi.budget.defined.v1', { at: '2026-11-22T10:00:00.000Z' });
  const more = fc.constantFrom(defined, attributed('2026-11-22T10:00:00.000Z'));
  fc.assert(
    fc.property(fc.array(fc.oneof(anyEvent, heard, sighted, more)), (given) => {
      for (const projection of others)
        for (const parts of partsOf(projection, given, 8).values()) expect(parts).toHaveLength(1);
    }),
  );
});
