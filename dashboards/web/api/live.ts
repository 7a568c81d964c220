/**
 * Follows the collector: one line per change, read by `fetch` since a token travels in a header. It
 * ends when the collector stops, and is opened again.
 */
import type { Client } from './client.ts';

export interface LiveOptions {
  readonly client: Pick<Client, 'openLive'>;
  /**
   * Something new is in the views, or may be: the stream has just opened, and what is shown was
   * asked before, or by rules that hold no more.
   */
  onChange(): void;
  /** `isNew`: it came while the page was open. */
  onPosition(position: string, isNew: boolean): void;
  /** Whether the stream stands. */
  onConnected(isConnected: boolean): void;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const againMs = 5_000;
/** For whom there is no stream. */
const pollMs = 15_000;

/** Runs until `signal`. Never rejects. */
export async function followLive(options: LiveOptions, signal: AbortSignal): Promise<void> {
  const { client, onChange, onPosition, onConnected, wait } = options;
  let seen: string | null = null;
  const hear = (position: string, isFirst: boolean) => {
    if (isFirst || position !== seen) onChange();
    if (position === seen) return;
    onPosition(position, seen !== null);
    seen = position;
  };
  while (!signal.aborted) {
    const end = await follow(() => client.openLive(seen, signal), hear, onConnected);
    if (end === 'gone' && !signal.aborted) onConnected(false);
    await wait(end === 'refused' ? pollMs : againMs, signal);
    if (end === 'refused' && !signal.aborted) onChange();
  }
}

/** `refused`: somebody answers, but this reader gets no stream. Never rejects. */
async function follow(
  open: () => Promise<Response>,
  hear: (position: string, isFirst: boolean) => void,
  onConnected: (isConnected: boolean) => void,
): Promise<'gone' | 'refused'> {
  try {
    const { ok, status, body } = await open();
    if ([401, 403, 429].includes(status)) return 'refused';
    if (!ok || body === null) return 'gone';
    onConnected(true);
    let isFirst = true;
    for await (const line of linesOf(body)) {
      const position = positionOf(line);
      if (position === null) continue;
      hear(position, isFirst);
      isFirst = false;
    }
  } catch {
    // Nobody answers: the same as an end.
  }
  return 'gone';
}

async function* linesOf(body: ReadableStream<BufferSource>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** Returns null for a heartbeat. */
function positionOf(line: string): string | null {
  const said: unknown = line === '' ? null : JSON.parse(line);
  return typeof said === 'object' && said !== null && 'position' in said
    ? String(said.position)
    : null;
}
