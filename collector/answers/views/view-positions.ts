/** How far views are, so that whoever keeps an answer can tell whether it still holds. */
import type { Projection } from '../../projections/projection.ts';
import { type FoldedPart, foldedParts, type ViewsReader } from '../../views/views.ts';

export interface ViewPositions {
  /** The generations of all views, in all parts of the log. */
  readonly generations: string;
  /** For each part of the log, how far each view has folded it. */
  readonly parts: readonly (readonly number[])[];
}

/** To be read before the documents, which may then be further. Null: a view is not there yet. */
export async function viewPositions(
  views: ViewsReader,
  projections: readonly Projection[],
): Promise<ViewPositions | null> {
  const live: (readonly FoldedPart[])[] = [];
  for (const projection of projections) {
    const generation = await views.live(projection);
    if (generation === null) return null;
    live.push(foldedParts(generation));
  }
  const [first = []] = live;
  return {
    generations: JSON.stringify(live.map((parts) => parts.map(({ id }) => id))),
    parts: first.map((_, at) => live.map((parts) => parts[at]?.checkpoint ?? 0)),
  };
}
