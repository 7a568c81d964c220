/**
 * The setting that an unknown key or variable may mean. Pure.
 *
 * Variables are only reported if they nearly match one of ours: another program's may have the same
 * prefix.
 */
import { edits, farthest, plain } from './near-words.ts';
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
