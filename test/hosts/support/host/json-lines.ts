/**
 * Newline-delimited JSON, split on LF alone: hosts may write U+2028 inside strings, which line
 * readers take for an end.
 */

export interface HostEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * Lines that are no JSON object with a type are left out: hosts print a stray word on stdout now
 * and then.
 */
export function parseJsonLines(text: string): readonly HostEvent[] {
  return text.split('\n').flatMap(parseLine);
}

/** Feeds chunks in, gets whole events out, in order. */
export function jsonLineReader(onEvent: (event: HostEvent) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const event of lines.flatMap(parseLine)) onEvent(event);
  };
}

function parseLine(line: string): readonly HostEvent[] {
  try {
    const value: unknown = JSON.parse(line);
    return isEvent(value) ? [value] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isEvent(value: unknown): value is HostEvent {
  return (
    typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
  );
}
