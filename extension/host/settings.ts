/**
 * Finds a host's compaction settings. omp exposes its running settings in the module that it passes
 * to extensions. pi exposes nothing before it compacts: its settings files are read when a session
 * starts, the project's overriding the user's, and values from a later compaction override both.
 *
 * Reads a few numbers from those files and nothing else. Does not notice changes that a user makes
 * to them during a session.
 */
import { join } from 'node:path';
import { readRegularFile } from '../../core/machine/regular-file.ts';
import { asCount, asList, asObject, type JsonObject } from '../../core/record/fields.ts';
import { type HostModel, readCwd, readModel, trustsProject } from './host.ts';
import { type CompactionSettings, defaultSettings } from './limits.ts';

export interface HostSettings {
  /**
   * Contract: never throws. pi: reads two small files. omp: reads no file, cheap enough for every
   * turn.
   */
  read(ctx: unknown): CompactionSettings;
  /**
   * True if cheap enough to read every time; otherwise the values are kept until the session
   * restarts or the model changes.
   */
  readonly isFree: boolean;
}

/** For hosts that keep their settings in files (pi). */
export function settingsInFiles(options: { readonly agentDirectory: string }): HostSettings {
  return {
    read(ctx) {
      const cwd = trustsProject(ctx) ? readCwd(ctx) : null;
      const files = [
        join(options.agentDirectory, 'settings.json'),
        ...(cwd === null ? [] : [join(cwd, '.pi', 'settings.json')]),
      ];
      const layers = files.map(compactionIn).filter((layer) => layer !== null);
      const key = modelKeyOf(readModel(ctx)) ?? '';
      const overrides = layers.map(
        (layer) => asObject(asObject(layer.modelOverrides)?.[key]) ?? {},
      );
      return layers.length === 0
        ? defaultSettings
        : { ...readSettings(Object.assign({}, ...layers, ...overrides)), source: 'files' };
    },
    isFree: false,
  };
}

/**
 * For hosts that expose their running settings (omp). `pi` is the object that omp passes to
 * extensions.
 */
export function settingsInModule(pi: unknown): HostSettings {
  let known: { readonly group: JsonObject; readonly settings: CompactionSettings } | null = null;
  return {
    read: () => {
      const group = compactionGroup(pi);
      if (group === null) return defaultSettings;
      // omp returns the same frozen object until a setting changes.
      if (known === null || known.group !== group || !Object.isFrozen(group))
        known = { group, settings: settingsInGroup(group) };
      return known.settings;
    },
    isFree: true,
  };
}

/** As pi resolves them and reports them with `session_before_compact`. Null if it does not. */
export function settingsInPreparation(event: unknown): CompactionSettings | null {
  const settings = asObject(asObject(asObject(event)?.preparation)?.settings);
  return settings === null ? null : { ...readSettings(settings), source: 'host' };
}

/** Identifies the model that the settings apply to. */
export function modelKeyOf(model: HostModel | null): string | null {
  return model === null ? null : `${model.provider}/${model.model}`;
}

function settingsInGroup(group: JsonObject): CompactionSettings {
  const settings = readSettings(group);
  const canCompact =
    group.strategy !== 'off' &&
    (group.methodOrder === undefined || asList(group.methodOrder).length > 0);
  return { ...settings, enabled: settings.enabled && canCompact, source: 'host' };
}

function readSettings(values: JsonObject): Omit<CompactionSettings, 'source'> {
  return {
    enabled: values.enabled !== false,
    reserveTokens: asCount(values.reserveTokens),
    keepRecentTokens: asCount(values.keepRecentTokens),
    thresholdTokens: asCount(values.thresholdTokens),
    thresholdPercent: asCount(values.thresholdPercent),
  };
}

/** Larger than any settings file. */
const fileBytesMax = 1024 * 1024;

function compactionIn(file: string): JsonObject | null {
  try {
    const text = readRegularFile(file, { bytesMax: fileBytesMax });
    return asObject(asObject(JSON.parse(text.replace(/^\uFEFF/, '')))?.compaction);
  } catch {
    return null; // missing, or unreadable for the host too
  }
}

function compactionGroup(pi: unknown): JsonObject | null {
  try {
    const settings = asObject(asObject(asObject(pi)?.pi)?.settings);
    return typeof settings?.getGroup === 'function'
      ? asObject(settings.getGroup('compaction'))
      : null;
  } catch {
    return null; // not initialised yet
  }
}
