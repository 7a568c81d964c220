/**
 * Takes keys out of `config.json` that `init` wrote, where they still say what it wrote, and puts
 * back what the user had there.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { settingsFile } from '@pi-ledger/core/machine/settings-file';
import { changeSettings, isObject, type SettingsFile } from '../../../config/write-settings.ts';
import type { SetupStep } from '../task.ts';

export const takeOutSettings: SetupStep = async ({ config, record, say }) => {
  const { settings: written, before = {} } = record.done();
  const names = Object.keys(written);
  const path = join(config.home, settingsFile);
  if (names.length === 0) return [];
  return [
    {
      topic: 'settings',
      would: `take ${names.join(', ')} out of ${path}, where unchanged`,
      question: `take ${names.join(', ')} out of config.json again, where unchanged?`,
      refused: 'config.json stays as it is',
      async act() {
        if (existsSync(path)) {
          let isEmpty = false;
          changeSettings(config.home, (settings) => {
            const left = without(settings, written, before);
            isEmpty = Object.keys(left).length === 0;
            return left;
          });
          if (isEmpty) rmSync(path);
        }
        record.note({ settings: {}, before: {} });
        say('settings', `${path} is as before init; what you changed since stays`);
        return true;
      },
    },
  ];
};

/** Takes what was written out of an object, key by key; what was there before is back. Pure. */
function without(
  settings: SettingsFile,
  written: SettingsFile,
  former: SettingsFile = {},
): SettingsFile {
  const left = Object.entries(settings).flatMap(([name, value]) => {
    const before = written[name];
    if (isDeepStrictEqual(value, before))
      return name in former ? [[name, former[name]] as const] : [];
    if (!isObject(value) || !isObject(before)) return [[name, value] as const];
    const rest = without(value, before);
    return Object.keys(rest).length === 0 ? [] : [[name, rest] as const];
  });
  return Object.fromEntries(left);
}
