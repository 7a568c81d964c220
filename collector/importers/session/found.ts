/** Describes an unexpected value by its kind alone, because a session's content is private. */

const typeCharsMax = 40;

export function found(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  const { type } = value as { readonly type?: unknown };
  return typeof type === 'string'
    ? `one of type ${JSON.stringify(type.slice(0, typeCharsMax))}`
    : 'an object without a type';
}

export function foundInText(text: string): string {
  return `${text.length} characters of something else`;
}
