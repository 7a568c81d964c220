/**
 * What was offered to the ledger and what was promised for it, as the harness saw it: the one side
 * of every comparison. It knows nothing of the ledger.
 */

/** What a producer wrote down of one append, or of one answer. */
export type Note =
  /** It is about to hand these to its spool, or to send them. */
  | { readonly is: 'offered'; readonly ids: readonly string[] }
  /** The spool has them. */
  | { readonly is: 'spooled'; readonly ids: readonly string[] }
  /** The spool refused them; `dropped` is its own count since the process began. */
  | { readonly is: 'refused'; readonly ids: readonly string[]; readonly dropped: number }
  /** An answer said that the ledger has them. */
  | { readonly is: 'acknowledged'; readonly ids: readonly string[] };

export interface Offered {
  /** `producer` tells the counts of drops apart. */
  note(producer: string, note: Note): void;
  /** Everything that may be in the log. */
  readonly offered: ReadonlySet<string>;
  /** Everything that has to be in the log when nothing is on its way any more. */
  readonly promised: ReadonlySet<string>;
  /** Everything that has to be in the log now. */
  readonly acknowledged: ReadonlySet<string>;
  /** Those of spools that refused fewer or more events than they counted. */
  miscounted(): readonly string[];
}

export function createOffered(): Offered {
  const offered = new Set<string>();
  const promised = new Set<string>();
  const acknowledged = new Set<string>();
  const refusals = new Map<string, { refused: number; dropped: number }>();

  function add(to: Set<string>, ids: readonly string[]): void {
    for (const id of ids) to.add(id);
  }

  return {
    offered,
    promised,
    acknowledged,
    note(producer, note) {
      switch (note.is) {
        case 'offered':
          return add(offered, note.ids);
        case 'spooled':
          return add(promised, note.ids);
        case 'acknowledged':
          add(promised, note.ids);
          return add(acknowledged, note.ids);
        case 'refused': {
          const { refused } = refusals.get(producer) ?? { refused: 0 };
          refusals.set(producer, { refused: refused + note.ids.length, dropped: note.dropped });
        }
      }
    },
    miscounted: () =>
      [...refusals].flatMap(([producer, { refused, dropped }]) =>
        refused === dropped
          ? []
          : [`${producer} was refused ${refused} events and counted ${dropped} drops`],
      ),
  };
}
