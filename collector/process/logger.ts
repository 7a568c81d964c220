/** The collector's log: one line of JSON for each warning and error. */
import type { FastifyBaseLogger } from 'fastify';

export interface Logger {
  /** The same for the server; null: nothing is logged. */
  readonly forServer: FastifyBaseLogger | null;
  /** What logs the errors of something that runs in the background. Never throws. */
  reporter(doing: string): (error: unknown) => void;
  /**
   * Logs a line that is no error of the program, and is not repeated within a minute: one cause may
   * be noticed in several places. Never throws.
   */
  note(message: string): void;
}

export function metricsNotSent(why: string): string {
  return `Metrics are not sent: ${why}`;
}

export function budgetsNotMeasured(why: string): string {
  return `Metrics are without budgets: ${why}`;
}

export interface LogStream {
  write(line: string): void;
}

export interface HeldLog {
  readonly stream: LogStream;
  /** Writes what was held back, and holds nothing back any more. */
  release(): void;
  drop(): void;
}

const heldForMs = 1_000;

/**
 * Keeps the lines of the first second back: a start that fails then says why in words, and a stack
 * of the same failure tells people nothing. A start that takes longer is followed line by line.
 */
export function holdLog({ write }: LogStream): HeldLog {
  let held: string[] | null = [];
  const end = (after: (line: string) => void) => {
    clearTimeout(timer);
    for (const line of held?.splice(0) ?? []) after(line);
    held = null;
  };
  const release = () => end(write);
  const timer = setTimeout(release, heldForMs).unref();
  return {
    stream: { write: (line) => void (held === null ? write(line) : held.push(line)) },
    release,
    drop: () => end(() => undefined),
  };
}

const repeatedAfterMs = 60_000;

/** Without a stream nothing is logged, and the library is not loaded. */
export async function createLogger(stream: LogStream | null): Promise<Logger> {
  if (stream === null)
    return { forServer: null, reporter: () => () => undefined, note: () => undefined };
  const { pino } = await import('pino');
  const logger = pino({ level: 'warn' }, stream);
  /** Lines of the last minute, and when. */
  const noted = new Map<string, number>();
  return {
    forServer: logger,
    reporter: (doing) => (error) => logger.error({ err: error }, doing),
    note(message) {
      const nowMs = performance.now();
      for (const [line, atMs] of noted) if (nowMs - atMs >= repeatedAfterMs) noted.delete(line);
      if (noted.has(message)) return;
      noted.set(message, nowMs);
      logger.warn(message);
    },
  };
}
