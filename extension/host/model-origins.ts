/** Where the host asks its models: the base URLs in its model registry. */
import { asObject, asString, asText } from '../../core/record/fields.ts';
import { called, guarded } from './host-call.ts';

/**
 * The origins (scheme, name and port) of all models, each with the provider that has models there;
 * null if several have. Takes 0.2 ms for a thousand models, so it is not for every request.
 *
 * Contract: never throws; null when the context is gone.
 */
export function readModelOrigins(ctx: unknown): ReadonlyMap<string, string | null> | null {
  const registry = guarded(() => asObject(asObject(ctx)?.modelRegistry));
  const models = called(registry, 'getAll');
  if (!Array.isArray(models)) return null;
  const origins = new Map<string, string | null>();
  let [last, origin]: [string, string | null] = ['', null];
  for (const value of models) {
    const model = asObject(value);
    const baseUrl = asString(model?.baseUrl) ?? '';
    // Models of one provider follow each other.
    if (baseUrl !== last) [last, origin] = [baseUrl, parseOrigin(baseUrl)];
    if (origin !== null) addProvider(origins, origin, asText(model?.provider));
  }
  return origins;
}

/** Returns the origin of the current model, and null without one. */
export function readModelOrigin(ctx: unknown): string | null {
  return parseOrigin(guarded(() => asString(asObject(asObject(ctx)?.model)?.baseUrl)) ?? '');
}

function addProvider(
  origins: Map<string, string | null>,
  origin: string,
  provider: string | null,
): void {
  const known = origins.get(origin);
  if (known === undefined) origins.set(origin, provider);
  else if (known !== provider) origins.set(origin, null);
}

function parseOrigin(url: string): string | null {
  const origin = url === '' ? null : guarded(() => new URL(url).origin);
  return origin === 'null' ? null : origin;
}
