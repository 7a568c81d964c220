/**
 * JSON with keys sorted at every level, by UTF-16 code units: equal values give equal text, whoever wrote them and in whatever order.
 *
 * The rules are those of `JSON.stringify` (undefined members vanish, NaN becomes null), so that an object in the host's memory and the same
 * object read back from its session file give the same text.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return scalarJson(value);
  return Array.isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : objectJson(value as Record<string, unknown>);
}

function objectJson(value: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (!hasJson(member)) continue;
    text += `${text === '' ? '' : ','}${textJson(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Every id is made of such a text: what needs no escaping is written without asking. */
function scalarJson(value: unknown): string {
  if (typeof value === 'string') return textJson(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value === 0 ? 0 : value) : 'null';
  return JSON.stringify(value) ?? 'null';
}

function textJson(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

const plain = /^[\w .:-]*$/;

function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
