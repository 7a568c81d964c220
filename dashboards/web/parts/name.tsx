/** Names that others gave: projects, branches, people, models. */
import type { JSX } from 'preact';

const charsUsual = 48;

/** Long ones are cut in the middle; characters that are not seen are shown. Null: not known. */
export function Name({
  of,
  unknown = '(unknown)',
  charsMax = charsUsual,
}: {
  of: string | null;
  unknown?: string;
  charsMax?: number;
}): JSX.Element {
  if (of === null || of === '') return <span class="not-known">{unknown}</span>;
  const shown = visible(of);
  return shown === of && [...of].length <= charsMax ? (
    <bdi>{of}</bdi>
  ) : (
    <bdi title={visible(of).slice(0, 500)}>{cut(shown, charsMax)}</bdi>
  );
}

/** Control, direction and format characters as `�`. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
}

function cut(text: string, charsMax: number): string {
  const chars = [...text];
  if (chars.length <= charsMax) return text;
  const half = Math.floor(charsMax / 2);
  return `${chars.slice(0, half).join('')}…${chars.slice(1 - half).join('')}`;
}
