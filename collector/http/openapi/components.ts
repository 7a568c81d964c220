/** Turns schemas with a title, at any depth, into named components and references. Pure. */

/** Returns `json` with references, and adds the components to `into` by name. */
export function takeComponents<Json>(json: Json, into: Map<string, object>): Json {
  return take(json, into) as Json;
}

function take(json: unknown, into: Map<string, object>): unknown {
  if (Array.isArray(json)) return json.map((item) => take(item, into));
  if (typeof json !== 'object' || json === null) return json;
  const { title } = json as { title?: unknown };
  const taken = Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      name === 'examples' ? value : take(value, into),
    ]),
  );
  if (typeof title !== 'string') return taken;
  into.set(title, { $id: title, ...taken });
  return { $ref: `${title}#` };
}
