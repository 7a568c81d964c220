/**
 * JSON with keys sorted at every level: equal values give equal text, whoever wrote them and in whatever order.
 *
 * The rules are those of `JSON.stringify` (undefined members vanish, NaN becomes null), so that an object in the host's memory and the same
 * object read back from its session file give the same text.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members: string[] = [];
  for (const [key, member] of sorted(value)) {
    if (hasJson(member)) members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}

/** By UTF-16 code units, as `<` compares: no locale may have a say. */
function sorted(value: object): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
