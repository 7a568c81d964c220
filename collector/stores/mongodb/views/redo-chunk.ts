import type { Stored } from './layout.ts';

export interface Chunk {
  /** `<commit>:<number>` */
  readonly _id: string;
  readonly generation: number;
  readonly from: bigint;
  readonly documents: readonly Stored[];
  readonly rows: readonly RowDelta[];
}

export interface RowDelta {
  readonly rollup: string;
  readonly _id: string;
  readonly dimensions: Readonly<Record<string, unknown>>;
  /** Each fits into 64 bits; a part beyond that has a name of its own (wide.ts). */
  readonly measures: Readonly<Record<string, bigint>>;
}
