/** Writes how providers are paid into `config.json`. Throws as `changeSettings` does. */
import type { Billing } from '../projections/rules.ts';
import { changeSettings, isObject, type SettingsFile } from './write-settings.ts';

/** A null takes a provider's rule away. */
export function writeBilling(
  home: string,
  changes: Readonly<Record<string, Billing | null>>,
): SettingsFile {
  let billing: SettingsFile = {};
  changeSettings(home, (settings) => {
    const before = isObject(settings.billing) ? settings.billing : {};
    billing = Object.fromEntries(
      Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null),
    );
    return { ...settings, billing };
  });
  return billing;
}
