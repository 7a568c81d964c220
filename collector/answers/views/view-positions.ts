/** How far views are, so that whoever keeps an answer can tell whether it still holds. */
import type { Projection } from '../../projections/projection.ts';
import type { Generation, ViewsReader } from '../../views/views.ts';

export interface ViewPositions {
  /** The generations of all cells and views. */
  readonly generations: string;
  /** For each cell, how far each view has folded its log. */
  readonly cells: readonly (readonly number[])[];
}

/** To be read before the documents, which may then be further. Null: a view is not there yet. */
export async function viewPositions(
  views: ViewsReader,
  projections: readonly Projection[],
): Promise<ViewPositions | null> {
  const live: (readonly Generation[])[] = [];
  for (const projection of projections) {
    const generation = await views.live(projection);
    if (generation === null) return null;
    live.push(generation.cells ?? [generation]);
  }
  const [first = []] = live;
  return {
    generations: JSON.stringify(live.map((cells) => cells.map(({ id }) => id))),
    cells: first.map((_, cell) => live.map((cells) => cells[cell]?.checkpoint ?? 0)),
  };
}
