/**
 * Texts that may travel, where the user wants them to (`auditContent`). The library that takes
 * secrets out of them is loaded when the first compaction begins, or when the first text is there,
 * off the host's path.
 *
 * Guarantees: no text without redaction. Where the library cannot be loaded, or fails at a text,
 * that text does not travel; the user is told once.
 */
import type { Content } from '@pi-ledger/contract';
import type { Redact } from './redactor.ts';

export interface Contents {
  /**
   * Contract: synchronous, never throws; a few ms for the largest text. Null: it does not travel,
   * because nothing is loaded (yet), or it failed.
   */
  of(text: string): Content | null;
  /** Begins to load soon, once. Contract: never throws. */
  load(): void;
  /** Loading is over, well or not. */
  isReady(): boolean;
  /** Calls back when it is; loads. */
  whenReady(callback: () => void): void;
  /** Why texts do not travel; null while nothing is known against it. */
  problem(): string | null;
}

export interface ContentsOptions {
  import(): Promise<Redact>;
  soon(callback: () => void): void;
  /** Shows one line to the user. */
  notify(message: string): void;
}

export function createContents(options: ContentsOptions): Contents {
  const { soon, notify } = options;
  let redact: Redact | null = null;
  let problem: string | null = null;
  let hasBegun = false;
  let waiting: (() => void)[] = [];

  function fail(reason: string): void {
    problem = reason;
    notify(`pi-ledger sends no summary texts: ${reason}.`);
  }

  function settle(): void {
    const callbacks = waiting;
    waiting = [];
    for (const callback of callbacks) callback();
  }

  async function begin(): Promise<void> {
    try {
      redact = await options.import();
    } catch (error) {
      fail(
        `what takes secrets out of them could not be loaded (${error instanceof Error ? error.message : String(error)})`,
      );
    }
    settle();
  }

  function load(): void {
    if (hasBegun) return;
    hasBegun = true;
    soon(() => void begin());
  }

  const isReady = () => redact !== null || problem !== null;

  return {
    of(text) {
      try {
        return redact?.(text) ?? null;
      } catch {
        fail('taking secrets out of one of them failed');
        return null;
      }
    },
    load,
    isReady,
    whenReady(callback) {
      if (isReady()) return callback();
      waiting.push(callback);
      load();
    },
    problem: () => problem,
  };
}
