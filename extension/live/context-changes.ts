/**
 * What a context sample reports besides its figures: when the host compacts automatically, and what
 * fills the window before the first message. Reported with a process's first sample of a session
 * and whenever it changes, which comparing a short JSON text shows.
 *
 * Measured when a run starts, not at every turn: a prompt or tool set that changes during a run is
 * reported with the next.
 */
import type { EventData } from '@pi-ledger/contract';
import { sha256Hex } from '../../core/record/identity/sha256.ts';
import { type HostModel, modelOf } from '../host/host.ts';
import { type CompactionSettings, limitsOf } from '../host/limits.ts';
import { systemPromptCharsOf } from '../host/prompt.ts';
import { type HostSettings, modelKeyOf } from '../host/settings.ts';
import type { HookCall } from './hook-call.ts';
import type { ContextPrefix, CurrentLimits } from './reported-context.ts';

type Sample = EventData<'pi.context.sampled.v1'>;

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
  const limits = limitsOf(deps.hostName, settings, windowTokens);
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

/** The host reported its settings. */
export function applySettings(call: HookCall, values: CompactionSettings | null): void {
  if (values !== null) call.state.settings = { modelKey: modelKeyOf(modelOf(call.ctx)), values };
}

/**
 * Definitions are measured only when the tool set changes. pi with `agent_settled` rebuilds its
 * prompt on each call (50 us) and records changes in entries, so it is asked once.
 */
export function measurePrefix(call: HookCall, deps: HostFacts): void {
  const { state, ctx, tools } = call;
  const isReady = deps.runEnd !== 'agent_settled' || state.prefix === null;
  const systemPromptChars = isReady
    ? systemPromptCharsOf(ctx)
    : (state.prefix?.fields.systemPromptChars ?? null);
  const names = tools?.activeNames() ?? null;
  const toolNames = names?.join('\n') ?? '';
  const toolFields =
    state.prefix?.toolNames === toolNames
      ? toolsOf(state.prefix.fields)
      : names === null
        ? {}
        : measuredTools(call, names);
  const fields = { ...(systemPromptChars === null ? {} : { systemPromptChars }), ...toolFields };
  state.prefix = { toolNames, fields, json: JSON.stringify(fields) };
}

/** Empty if nothing has changed. */
export function contextChanges(
  call: HookCall,
  deps: HostFacts,
  model: HostModel | null,
  windowTokens: number | null,
): Partial<Sample> {
  const { state } = call;
  if (model === null) return {}; // the session is over
  const { limits, json } = currentLimits(call, deps, model, windowTokens);
  const reported = call.context ?? state.reportedContext;
  const prefix = state.prefix ?? nothingMeasured;
  if (json === reported.limits && prefix.json === reported.prefix) return {};
  call.context = { limits: json, prefix: prefix.json };
  return {
    ...(json === reported.limits ? {} : limits),
    ...(prefix.json === reported.prefix ? {} : prefix.fields),
  };
}

const nothingMeasured: ContextPrefix = { toolNames: '', fields: {}, json: '{}' };

function measuredTools({ tools }: HookCall, names: readonly string[]): ContextPrefix['fields'] {
  const definitionChars = tools?.definitionChars(names) ?? null;
  return {
    ...(definitionChars === null ? {} : { toolDefinitionChars: definitionChars }),
    tools: names.length,
    toolSetHash: sha256Hex([...names].sort().join('\n')).slice(0, 8),
  };
}

function toolsOf({
  systemPromptChars: _,
  ...tools
}: ContextPrefix['fields']): ContextPrefix['fields'] {
  return tools;
}
