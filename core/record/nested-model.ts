/**
 * Which model did a tool's nested work: the one that the result's details name, else one of the
 * provider of the turn that asked. Several different ones are none: nobody knows which did what.
 */
import { asList, asObject, asString, asText, type JsonObject } from './fields.ts';
import type { PathState } from './path-state.ts';
import type { Answered } from './spend.ts';

/** `above`: the state at the tool result. */
export function nestedModel(
  details: JsonObject | null,
  { turnProvider }: Pick<PathState, 'turnProvider'>,
): Answered {
  const named = details === null ? [] : namedIn(details);
  const models = new Set(named.map(({ model }) => model));
  const providers = new Set(named.flatMap(({ provider }) => provider ?? []));
  const [provider = null] = providers.size === 1 ? providers : [];
  const [model = null] = models.size === 1 && providers.size <= 1 ? models : [];
  return {
    provider: provider ?? turnProvider,
    api: null,
    model,
    responseModel: null,
    responseId: null,
  };
}

interface NamedModel {
  readonly provider: string | null;
  readonly model: string;
}

/** Each result of a subagent says its model; other tools say it in the details or in an answer. */
function namedIn(details: JsonObject): readonly NamedModel[] {
  const places = [details, asObject(details.response), ...asList(details.results).map(asObject)];
  return places.flatMap((place) => (place === null ? [] : (modelIn(place) ?? [])));
}

/**
 * Returns null where no model is named. A name says its provider as well (`provider/model`),
 * unless that stands beside it; the thinking level that pi appends (`:low`) is no part of it.
 */
export function modelIn(place: JsonObject): NamedModel | null {
  const name = asString(place.model)?.replace(thinkingLevel, '') ?? '';
  const provider = asText(place.provider);
  if (provider !== null) return namedModel(provider, name);
  const slash = name.indexOf('/');
  return slash < 1
    ? namedModel(null, name)
    : namedModel(asText(name.slice(0, slash)), name.slice(slash + 1));
}

const thinkingLevel = /:(?:off|minimal|low|medium|high|xhigh|max)$/;

function namedModel(provider: string | null, name: string): NamedModel | null {
  const model = asText(name);
  return model === null ? null : { provider, model };
}
