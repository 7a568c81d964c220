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
import { type HostModel, readModel } from '../host/host.ts';
import type { CompactionSettings } from '../host/limits.ts';
import { readSystemPromptChars } from '../host/prompt.ts';
import { modelKeyOf } from '../host/settings.ts';
import { currentLimits, type HostFacts } from './current-limits.ts';
import type { HookCall } from './hook-call.ts';
import type { ContextPrefix } from './reported-context.ts';

type Sample = EventData<'pi.context.sampled.v1'>;

/** The host reported its settings. */
export function applySettings(call: HookCall, values: CompactionSettings | null): void {
  if (values !== null) call.state.settings = { modelKey: modelKeyOf(readModel(call.ctx)), values };
}

/**
 * Definitions are measured only when the tool set changes. pi with `agent_settled` rebuilds its
 * prompt on each call (50 us) and records changes in entries, so it is asked once.
 */
export function measurePrefix(call: HookCall, deps: HostFacts): void {
  const { state, ctx, tools } = call;
  const isReady = deps.runEnd !== 'agent_settled' || state.prefix === null;
  const systemPromptChars = isReady
    ? readSystemPromptChars(ctx)
    : (state.prefix?.fields.systemPromptChars ?? null);
  const names = tools?.activeNames() ?? null;
  const toolNames = names?.join('\n') ?? '';
  const toolFields =
    state.prefix?.toolNames === toolNames
      ? pickTools(state.prefix.fields)
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

function pickTools({
  systemPromptChars: _,
  ...tools
}: ContextPrefix['fields']): ContextPrefix['fields'] {
  return tools;
}
