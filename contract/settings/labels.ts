/** What a label may be called and hold: for settings, events and commands alike. Pure. */

export const labelKeyPattern = '^[a-z0-9][a-z0-9._-]{0,49}$';
export const labelValueCharsMax = 200;
/** Labels in one event, request or rule. */
export const labelsMax = 20;

/** What stands after `expected`. */
export const labelKeyExpected =
  'a label of up to 50 of a-z, 0-9, `-`, `_` and `.`, the first a letter or digit';
export const labelValueExpected =
  `a label's value of 1 to ${labelValueCharsMax} characters, ` +
  'without line breaks and other control characters';

export function isLabelKey(value: unknown): value is string {
  return typeof value === 'string' && keyPattern.test(value);
}

export function isLabelValue(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= labelValueCharsMax &&
    !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(value)
  );
}

/** Labels by key; null takes a label away. */
export type LabelChange = Readonly<Record<string, string | null>>;

/**
 * `ticket=ABC-12` sets a label, `ticket=` takes it away; of two with one key, the last counts. A
 * text names the word that is wrong, and what was expected.
 */
export function readLabelWords(words: readonly string[]): LabelChange | string {
  const labels = new Map<string, string | null>();
  for (const word of words) {
    const at = word.indexOf('=');
    const [key, value] = [word.slice(0, at), word.slice(at + 1)];
    if (at < 0) return `\`${word}\`: write KEY=VALUE, or KEY= to take the label away`;
    if (!isLabelKey(key)) return `\`${key}\`: expected ${labelKeyExpected}`;
    if (value !== '' && !isLabelValue(value)) return `\`${key}\`: expected ${labelValueExpected}`;
    labels.set(key, value === '' ? null : value);
  }
  if (labels.size > labelsMax) return `${labels.size} labels: at most ${labelsMax} at once`;
  return Object.fromEntries(labels);
}

const keyPattern = new RegExp(labelKeyPattern);
