/** When the host compacts automatically, as its settings say now. */
import type { HostModel } from '../host/host.ts';
import { type CompactionSettings, compactionLimits } from '../host/limits.ts';
import { type HostSettings, modelKeyOf } from '../host/settings.ts';
import type { HookCall } from './hook-call.ts';
import type { CurrentLimits } from './reported-context.ts';

/** Which host it is, and where its settings are. */
export interface HostFacts {
  readonly hostName: 'pi' | 'omp';
  /** How it signals the end of a run. */
  readonly runEnd: 'agent_settled' | 'agent_end' | 'unreported';
  readonly settings: HostSettings;
}

/** Recomputed only for other settings or another window. */
export function currentLimits(
  call: HookCall,
  deps: HostFacts,
  model: HostModel | null,
  windowTokens: number | null,
): CurrentLimits {
  const { state } = call;
  const settings = currentSettings(call, deps, model);
  if (
    state.limits !== null &&
    state.limits.settings === settings &&
    state.limits.windowTokens === windowTokens
  )
    return state.limits;
  const limits = compactionLimits(deps.hostName, settings, windowTokens);
  state.limits = { settings, windowTokens, limits, json: JSON.stringify(limits) };
  return state.limits;
}

/**
 * Reads the host's current settings; if that is expensive, only when a session starts or the model
 * changes.
 */
function currentSettings(
  call: HookCall,
  deps: HostFacts,
  model: HostModel | null,
): CompactionSettings {
  const { state, ctx } = call;
  if (deps.settings.isFree) return deps.settings.read(ctx);
  const modelKey = modelKeyOf(model);
  if (state.settings === null || state.settings.modelKey !== modelKey)
    state.settings = { modelKey, values: deps.settings.read(ctx) };
  return state.settings.values;
}
