/**
 * Messages for the user, each shown once: why the extension is off, that the collector rejects the
 * token.
 *
 * Shown in the host's interface if there is one, else as a line on stderr (stdout belongs to the
 * host's own output). A notice that arrives while no interface is available waits for the next
 * handler.
 */

import { sanitizeLine } from '../core/text/sanitize.ts';
import { hasUi, notify } from './host/host.ts';

export interface Notices {
  add(message: string): void;
  /** Contract: never throws. Called from handlers, with their context. */
  deliver(ctx: unknown): void;
  /**
   * No handler follows: remaining notices go to stderr, unless an interface owns the terminal.
   * Contract: never throws.
   */
  end(): void;
}

/** More than this at once would be noise. */
const waitingMax = 8;

export function createNotices(writeLine: (line: string) => void): Notices {
  const said = new Set<string>();
  let waiting: string[] = [];
  /** It is null before the first handler. */
  let isInteractive: boolean | null = null;

  return {
    add(text) {
      const message = sanitizeLine(text);
      if (said.has(message) || waiting.length === waitingMax) return;
      said.add(message);
      waiting.push(message);
    },
    deliver(ctx) {
      if (waiting.length === 0 && isInteractive !== null) return;
      const ui = hasUi(ctx);
      if (ui !== null) isInteractive = isInteractive === true || ui;
      // A subagent has no interface of its own, and a line on stderr would break the main
      // session's.
      if (ui === null || (!ui && isInteractive === true)) return;
      waiting = waiting.filter(
        (message) => !(ui ? notify(ctx, message, 'warning') : write(writeLine, message)),
      );
    },
    end() {
      if (isInteractive !== true)
        for (const message of waiting.splice(0)) write(writeLine, message);
    },
  };
}

function write(writeLine: (line: string) => void, message: string): true {
  try {
    writeLine(message);
  } catch {
    // stderr is closed: there is nobody left to tell
  }
  return true;
}
