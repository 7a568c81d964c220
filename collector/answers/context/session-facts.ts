/** A session's facts, merged from its chunks in any order. */
import type { ContextChunk } from '../../projections/context/chunk.ts';
import type {
  EntryFact,
  FailedFact,
  FixtureFact,
  LimitsFact,
  SampleFact,
  TimedFact,
  WindowFact,
} from '../../projections/context/facts.ts';
import type { ContextMoment } from '../../projections/context/moment.ts';

export interface SessionFacts {
  readonly session: string;
  readonly entries: readonly EntryFact[];
  readonly timed: readonly TimedFact[];
  readonly failed: readonly FailedFact[];
  readonly samples: readonly SampleFact[];
  readonly windows: readonly WindowFact[];
  readonly limits: readonly LimitsFact[];
  readonly fixtures: readonly FixtureFact[];
  readonly moments: readonly ContextMoment[];
  /** How many facts did not fit into their chunk. */
  readonly left: number;
}

/** `chunks`: those of one session. */
export function sessionFactsOf(session: string, chunks: Iterable<ContextChunk>): SessionFacts {
  const sorted = [...chunks].sort((left, right) => (left.bucket < right.bucket ? -1 : 1));
  return {
    session,
    entries: sorted.flatMap(({ entries, summaries }) => [...entries, ...summaries]),
    timed: sorted.flatMap(({ timed }) => timed),
    failed: sorted.flatMap(({ failed }) => failed),
    samples: sorted.flatMap(({ samples }) => samples),
    windows: sorted.flatMap(({ windows }) => [...windows.values()]),
    limits: sorted.flatMap(({ limits }) => limits),
    fixtures: sorted.flatMap(({ fixtures }) => fixtures),
    moments: sorted.flatMap(({ moments }) => moments),
    left: sorted.reduce((left, chunk) => left + chunk.left, 0),
  };
}
