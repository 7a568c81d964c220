/**
 * The setting that an unknown key or variable may mean. Pure.
 *
 * Variables are only reported if they nearly match one of ours: another program's may have the same
 * prefix.
 */
import type { Setting } from './setting.ts';
import { type SettingKey, settingList } from './settings.ts';

export interface UnknownSetting {
  readonly message: string;
  /** A guard (setting.ts) that this is probably meant for. */
  readonly guard: SettingKey | null;
}

export function misspeltKey(key: string): UnknownSetting {
  const near = nearest(key, (written, name) => (isPart(written, name) ? 1 : edits(written, name)));
  const hint = near === null ? '' : `; did you mean \`${near.key}\`?`;
  return { message: `\`${key.slice(0, keyCharsMax)}\`: unknown${hint}`, guard: nearestKey(near) };
}

export function misspeltVariable(name: string, prefix: string): readonly UnknownSetting[] {
  const near = nearest(name.slice(prefix.length), edits);
  if (!near?.isLikely) return [];
  const { variable } = near.setting;
  const hint =
    variable === undefined
      ? `\`${near.key}\` can only be set in config.json`
      : `did you mean \`${variable}\`?`;
  return [{ message: `\`${name}\`: unknown; ${hint}`, guard: nearestKey(near) }];
}

const keyCharsMax = 60;

function nearestKey(near: Near | null): SettingKey | null {
  return near?.isLikely && near.setting.isGuard ? near.key : null;
}

interface Near {
  readonly key: SettingKey;
  readonly setting: Setting;
  readonly distance: number;
  /** So near that hardly anything else can be meant. */
  readonly isLikely: boolean;
}

/** Among equally near settings, a protective one wins. */
const candidates = [true, false].flatMap((isGuard) =>
  settingList.filter(([, setting]) => (setting.isGuard ?? false) === isGuard),
);

/** Returns null if nothing is similar. */
function nearest(text: string, distanceOf: (written: string, name: string) => number): Near | null {
  const written = plain(text);
  let best: Near | null = null;
  for (const [key, setting] of candidates) {
    const name = plain(key);
    const distance = distanceOf(written, name);
    const isNearest =
      distance <= farthest(written, name) &&
      distance < (best?.distance ?? Number.POSITIVE_INFINITY);
    if (isNearest)
      best = { key, setting, distance, isLikely: distance <= (name.length <= 6 ? 1 : 2) };
  }
  return best;
}

function isPart(written: string, name: string): boolean {
  return (
    written.startsWith(name) ||
    written.endsWith(name) ||
    (written.length >= 4 && name.startsWith(written))
  );
}

/** The nearest of any words; null if nothing is similar. */
export function nearestWord(text: string, words: readonly string[]): string | null {
  const written = plain(text);
  const near = words
    .map((word) => ({ word, distance: edits(written, plain(word)), name: plain(word) }))
    .filter(({ distance, name }) => distance <= farthest(written, name))
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.word ?? null;
}

/** `retention_days` and `RetentionDays` are the same mistake. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function farthest(written: string, name: string): number {
  return Math.max(written.length, name.length) / 3;
}

/**
 * Edit distance: letters inserted, deleted, changed, or swapped with a neighbour (optimal string
 * alignment). Infinite above the limit of interest.
 */
function edits(written: string, name: string): number {
  if (Math.abs(written.length - name.length) > farthest(written, name))
    return Number.POSITIVE_INFINITY;
  let [before, row]: [number[], number[]] = [
    [],
    Array.from({ length: name.length + 1 }, (_, column) => column),
  ];
  for (let line = 1; line <= written.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= name.length; column += 1) {
      const isSame = written[line - 1] === name[column - 1];
      const isSwap =
        written[line - 1] === name[column - 2] && written[line - 2] === name[column - 1];
      const ways = [
        at(next, column - 1) + 1,
        at(row, column) + 1,
        at(row, column - 1) + (isSame ? 0 : 1),
      ];
      next.push(Math.min(...ways, isSwap ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    [before, row] = [row, next];
  }
  return at(row, name.length);
}

/** Outside the table, the distance is infinite. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
