/** What an answer of a command is made of, however it is shown. */
import type { Line } from '../line.ts';
import type { Mark } from './marks.ts';
import type { Cells, TableStyle } from './table.ts';
import type { Writing } from './writing.ts';

export interface Answer {
  /** It tells of an import that is not finished (client/importing.ts). */
  readonly importing?: Line | null;
  readonly first?: Line | null;
  readonly body: readonly Part[];
  readonly notes?: readonly Note[];
  /** All columns, full figures, all notes. */
  readonly wide?: boolean | undefined;
  /** Undefined: the reader's own. */
  readonly timeZone?: string | undefined;
}

export interface Note {
  /** A warning comes first and never goes. */
  readonly is?: 'warning';
  /** The sign that it explains. */
  readonly mark?: Mark;
  readonly text: string;
  /** The command that helps. */
  readonly next?: string;
}

export type Part = Line | Table | Heading | Drawn | Chart;

/** A table whose columns and rows are known to whoever made it. */
export type Table = (writing: Writing) => Cells;

/** Over what follows it. */
interface Heading {
  readonly heading: string;
}

/** What a terminal shows in another shape than a table. */
export interface Drawn {
  lines(style: TableStyle, writing: Writing): readonly Line[];
  readonly table: Table;
}

/** Only in documents: `terminal.document` says whether it is asked for. */
export interface Chart {
  readonly chart: DailySpend;
}

export interface DailySpend {
  /** Every day from the first to the last, also those that spent nothing. */
  readonly days: readonly DaySpend[];
  readonly table: Table;
}

export interface DaySpend {
  /** `2026-11-22`. */
  readonly day: string;
  readonly meteredNanoUsd: bigint;
  readonly subscriptionNanoUsd: bigint;
}
