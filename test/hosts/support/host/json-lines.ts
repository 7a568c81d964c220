/**
 * Newline-delimited JSON, split on LF only: hosts may write U+2028 inside strings, which line
 * readers treat as a line end.
 */

export interface HostEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * Skips lines that are not JSON objects with a type: hosts sometimes print other text on stdout.
 */
export function parseJsonLines(text: string): readonly HostEvent[] {
  return text.split('\n').flatMap(parseLine);
}

/** Takes chunks and emits complete events, in order. */
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
