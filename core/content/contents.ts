/**
 * Texts that may be sent, if the user enables that (`auditContent`). The library that redacts
 * secrets is loaded off the host's path, when the first compaction begins or the first text
 * arrives.
 *
 * Guarantees: no text is sent without redaction. If the library cannot be loaded, or fails on a
 * text, that text is not sent; the user is told once.
 */

import type { Content } from '@pi-ledger/contract';
import { errorText } from '../text/error-text.ts';
import type { Redact } from './redactor.ts';

export interface Contents {
  /**
   * Contract: synchronous, never throws; a few ms for the largest text. Null: the text is not sent,
   * because the library is not loaded (yet) or failed.
   */
  of(text: string): Content | null;
  /** Starts loading soon, once. Contract: never throws. */
  load(): void;
  /** Loading has finished or failed. */
  isReady(): boolean;
  /** Calls back when ready; starts loading if necessary. */
  whenReady(callback: () => void): void;
  /** Why texts are not sent; null if no problem is known. */
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
      const reason = errorText(error);
      fail(`the redaction library could not be loaded (${reason})`);
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
        fail('redacting one of them failed');
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
