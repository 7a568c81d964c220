/**
 * How deep JSON is nested. SQLite reads nothing of a text beyond a thousand levels: such an event
 * could be appended, and then neither be offered again nor be read by its fields.
 */
const quote = 0x22;
const backslash = 0x5c;
const opening = ['{', '['] as const;

/** `text`: valid JSON. Most events have fewer brackets than levels are allowed: no more is read. */
export function isDeeper(text: string, levelsMax: number): boolean {
  return hasMore(text, levelsMax) && depthOf(text, levelsMax) > levelsMax;
}

function hasMore(text: string, countMax: number): boolean {
  let count = 0;
  for (const bracket of opening)
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > countMax) return true;
    }
  return false;
}

/** Ends early beyond `levelsMax`. */
function depthOf(text: string, levelsMax: number): number {
  let depth = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < text.length && deepest <= levelsMax; at += 1) {
    const unit = text.charCodeAt(at);
    if (isText && unit === backslash) at += 1;
    else if (unit === quote) isText = !isText;
    else if (!isText) {
      depth += changeBy(unit);
      deepest = Math.max(deepest, depth);
    }
  }
  return deepest;
}

function changeBy(unit: number): -1 | 0 | 1 {
  if (unit === 0x7b || unit === 0x5b) return 1;
  return unit === 0x7d || unit === 0x5d ? -1 : 0;
}
