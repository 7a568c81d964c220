/**
 * What a context sample says beside the figures: when the host compacts by itself, and what fills
 * the window before the first message. Said with a process's first sample of a session and when any
 * of it has changed, which a text of a few numbers tells.
 *
 * Measured when a run starts, not at every turn: a prompt or a set of tools that changes within a
 * run is said with the next.
 */
import type { EventData } from '@pi-ledger/contract';
import { type HostModel, modelOf } from '../host/host.ts';
import { type CompactionSettings, limitsOf } from '../host/limits.ts';
import { systemPromptCharsOf } from '../host/prompt.ts';
import { type HostSettings, modelKeyOf } from '../host/settings.ts';
import { sha256Hex } from '../record/identity/sha256.ts';
import type { ContextFixture, LimitsInForce } from './context-said.ts';
import type { Handling } from './hook-call.ts';

type Sample = EventData<'pi.context.sampled.v1'>;

/** Which host it is, and where its settings are. */
export interface HostFacts {
  readonly hostName: 'pi' | 'omp';
  /** How it says that a run is over. */
  readonly runEnd: 'agent_settled' | 'agent_end' | 'unsaid';
  readonly settings: HostSettings;
}

/** Worked out anew only for other settings or another window. */
export function learnLimits(
  handling: Handling,
  means: HostFacts,
  model: HostModel | null,
  windowTokens: number | null,
): LimitsInForce {
  const { state } = handling;
  const settings = learnSettings(handling, means, model);
  if (
    state.limits !== null &&
    state.limits.settings === settings &&
    state.limits.windowTokens === windowTokens
  )
    return state.limits;
  const limits = limitsOf(means.hostName, settings, windowTokens);
  state.limits = { settings, windowTokens, limits, json: JSON.stringify(limits) };
  return state.limits;
}

/**
 * Reads what the host's settings are now. Where that costs something: when a session starts, and
 * for another model.
 */
function learnSettings(
  handling: Handling,
  means: HostFacts,
  model: HostModel | null,
): CompactionSettings {
  const { state, ctx } = handling;
  if (means.settings.isFree) return means.settings.read(ctx);
  const modelKey = modelKeyOf(model);
  if (state.settings === null || state.settings.modelKey !== modelKey)
    state.settings = { modelKey, values: means.settings.read(ctx) };
  return state.settings.values;
}

/** The host said them itself. */
export function hearSettings(handling: Handling, values: CompactionSettings | null): void {
  if (values !== null)
    handling.state.settings = { modelKey: modelKeyOf(modelOf(handling.ctx)), values };
}

/**
 * The definitions are only measured when the set of tools has changed. pi with `agent_settled` puts
 * its prompt together each time it is asked (50 us) and tells of changes in entries: it is asked
 * once.
 */
export function measureFixture(handling: Handling, means: HostFacts): void {
  const { state, ctx, tools } = handling;
  const isReady = means.runEnd !== 'agent_settled' || state.fixture === null;
  const systemPromptChars = isReady
    ? systemPromptCharsOf(ctx)
    : (state.fixture?.said.systemPromptChars ?? null);
  const names = tools?.activeNames() ?? null;
  const toolNames = names?.join('\n') ?? '';
  const toolsSaid =
    state.fixture?.toolNames === toolNames
      ? toolsOf(state.fixture.said)
      : names === null
        ? {}
        : measuredTools(handling, names);
  const said = { ...(systemPromptChars === null ? {} : { systemPromptChars }), ...toolsSaid };
  state.fixture = { toolNames, said, json: JSON.stringify(said) };
}

/** Empty when nothing has changed. */
export function contextNews(
  handling: Handling,
  means: HostFacts,
  model: HostModel | null,
  windowTokens: number | null,
): Partial<Sample> {
  const { state } = handling;
  if (model === null) return {}; // a session that is over
  const { limits, json } = learnLimits(handling, means, model, windowTokens);
  const said = handling.context ?? state.saidContext;
  const fixture = state.fixture ?? nothingMeasured;
  if (json === said.limits && fixture.json === said.fixture) return {};
  handling.context = { limits: json, fixture: fixture.json };
  return {
    ...(json === said.limits ? {} : limits),
    ...(fixture.json === said.fixture ? {} : fixture.said),
  };
}

const nothingMeasured: ContextFixture = { toolNames: '', said: {}, json: '{}' };

function measuredTools({ tools }: Handling, names: readonly string[]): ContextFixture['said'] {
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
}: ContextFixture['said']): ContextFixture['said'] {
  return tools;
}
