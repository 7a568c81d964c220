/** What a command has found before it prints it. */
import type { Importing } from '@pi-ledger/contract/answers';
import type { Note } from '../output/answer-parts.ts';

export interface Found<Answer> {
  readonly answer: Answer;
  /** Why the figures may be wrong. */
  readonly notes: readonly Note[];
  /** Why there are no rows; null: there are some. */
  readonly empty: string | null;
  /** It is null when nothing is being imported. */
  readonly importing: Importing | null;
  /** Where it was asked. */
  readonly source: string | null;
}
