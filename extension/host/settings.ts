/**
 * Where a host's settings for compaction are found. omp's running settings stand in the module that
 * it hands out. pi hands nothing out before it compacts: its settings files are read when a session
 * starts, the project's over the user's, and what a compaction then says stands over both.
 *
 * Takes a few numbers from those files and nothing else. Does not follow changes that a user makes
 * to them while the session goes on.
 */
import { join } from 'node:path';
import { asCount, asList, asObject, type JsonObject } from '../record/fields.ts';
import { readRegularFile } from '../spool/regular-file.ts';
import { cwdOf, type HostModel, modelOf, trustsProject } from './host.ts';
import { type CompactionSettings, defaultSettings } from './limits.ts';

export interface HostSettings {
  /**
   * Contract: never throws. pi: reads two small files. omp: reads none, and is cheap enough for
   * every turn.
   */
  read(ctx: unknown): CompactionSettings;
  /**
   * Worth asking each time; else what was read stands until the session starts anew or the model
   * changes.
   */
  readonly isFree: boolean;
}

/** Of a host whose settings are in its files. */
export function settingsInFiles(options: { readonly agentDirectory: string }): HostSettings {
  return {
    read(ctx) {
      const cwd = trustsProject(ctx) ? cwdOf(ctx) : null;
      const files = [
        join(options.agentDirectory, 'settings.json'),
        ...(cwd === null ? [] : [join(cwd, '.pi', 'settings.json')]),
      ];
      const layers = files.map(compactionIn).filter((layer) => layer !== null);
      const key = modelKeyOf(modelOf(ctx)) ?? '';
      const overrides = layers.map(
        (layer) => asObject(asObject(layer.modelOverrides)?.[key]) ?? {},
      );
      return layers.length === 0
        ? defaultSettings
        : { ...settingsOf(Object.assign({}, ...layers, ...overrides)), source: 'files' };
    },
    isFree: false,
  };
}

/**
 * Of a host that hands its running settings out (omp): `pi` is the object that it gives to
 * extensions.
 */
export function settingsInModule(pi: unknown): HostSettings {
  let known: { readonly group: JsonObject; readonly settings: CompactionSettings } | null = null;
  return {
    read: () => {
      const group = compactionGroup(pi);
      if (group === null) return defaultSettings;
      // omp hands the same frozen object out until a setting changes.
      if (known === null || known.group !== group || !Object.isFrozen(group))
        known = { group, settings: settingsInGroup(group) };
      return known.settings;
    },
    isFree: true,
  };
}

/** As pi resolves them and tells with `session_before_compact`. Null when it does not. */
export function settingsInPreparation(event: unknown): CompactionSettings | null {
  const settings = asObject(asObject(asObject(event)?.preparation)?.settings);
  return settings === null ? null : { ...settingsOf(settings), source: 'host' };
}

/** Which model's settings they are. */
export function modelKeyOf(model: HostModel | null): string | null {
  return model === null ? null : `${model.provider}/${model.model}`;
}

function settingsInGroup(group: JsonObject): CompactionSettings {
  const settings = settingsOf(group);
  const canCompact =
    group.strategy !== 'off' &&
    (group.methodOrder === undefined || asList(group.methodOrder).length > 0);
  return { ...settings, enabled: settings.enabled && canCompact, source: 'host' };
}

function settingsOf(values: JsonObject): Omit<CompactionSettings, 'source'> {
  return {
    enabled: values.enabled !== false,
    reserveTokens: asCount(values.reserveTokens),
    keepRecentTokens: asCount(values.keepRecentTokens),
    thresholdTokens: asCount(values.thresholdTokens),
    thresholdPercent: asCount(values.thresholdPercent),
  };
}

/** Larger than any settings file; whatever it is, it is not read on the host's path. */
const fileBytesMax = 1024 * 1024;

function compactionIn(file: string): JsonObject | null {
  try {
    const text = readRegularFile(file, { bytesMax: fileBytesMax });
    return asObject(asObject(JSON.parse(text.replace(/^\uFEFF/, '')))?.compaction);
  } catch {
    return null; // no such file, or none that the host could read either
  }
}

function compactionGroup(pi: unknown): JsonObject | null {
  try {
    const settings = asObject(asObject(asObject(pi)?.pi)?.settings);
    return typeof settings?.getGroup === 'function'
      ? asObject(settings.getGroup('compaction'))
      : null;
  } catch {
    return null; // not set up yet
  }
}
