/** Lists as `OTEL_EXPORTER_OTLP_HEADERS` writes them: `name=value,name=value`. Pure. */
import { validateHeaderName, validateHeaderValue } from 'node:http';

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
      if (of === 'headers') expectHeader(name, value);
      pairs.set(decodeURIComponent(name), value);
    } catch {
      return null;
    }
  }
  return pairs;
}

function expectHeader(name: string, value: string): void {
  validateHeaderName(name);
  validateHeaderValue(name, value);
}
