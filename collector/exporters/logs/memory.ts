/** What the exporter of log records remembers between batches. Bounded by its parts. */
import { type Drops, readDrops } from './drops.ts';
import { type Places, readPlaces } from './places.ts';

export interface LogMemory {
  readonly drops: Drops;
  readonly places: Places;
  /** Undefined: as it was. */
  written(): string | undefined;
}

/** `position`: everything up to it is in `text`, which `written` made. */
export function readMemory(text: string | null, position: number): LogMemory {
  const known: { readonly drops?: unknown; readonly places?: unknown } =
    text === null ? {} : JSON.parse(text);
  const texts = {
    drops: JSON.stringify(known.drops ?? null),
    places: JSON.stringify(known.places ?? null),
  };
  const drops = readDrops(known.drops);
  const places = readPlaces(texts.places, position);
  return {
    drops,
    places,
    written() {
      const changed = { drops: drops.written(), places: places.written() };
      if (changed.drops === undefined && changed.places === undefined) return undefined;
      texts.drops = changed.drops ?? texts.drops;
      texts.places = changed.places ?? texts.places;
      return `{"drops":${texts.drops},"places":${texts.places}}`;
    },
  };
}
