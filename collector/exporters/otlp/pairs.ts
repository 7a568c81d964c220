/** Lists as `OTEL_EXPORTER_OTLP_HEADERS` writes them: `name=value,name=value`. Pure. */
/** Values are percent-decoded. Null: not such a list, or a header that HTTP does not allow. */
export function readPairs(
  text: string,
  of: 'headers' | 'texts',
): ReadonlyMap<string, string> | null {
  const pairs = new Map<string, string>();
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0)).trim();
    if (name === '') return null;
    try {
      const value = decodeURIComponent(part.slice(at + 1).trim());
      if (of === 'headers' && !(headerName.test(name) && headerValue.test(value))) return null;
      pairs.set(decodeURIComponent(name), value);
    } catch {
      return null;
    }
  }
  return pairs;
}

/** RFC 9110. (`node:http` could tell, and takes every command longer to load than this.) */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
