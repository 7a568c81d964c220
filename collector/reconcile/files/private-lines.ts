/**
 * Which lines of a session file the user kept private: those below a line of pi-ledger's own that
 * says `paused`, until one that says `resumed` and the results of tools right after it. Shares no
 * code with the importers. Pure.
 */
import { readMessage } from './entry-fields.ts';
import { type Json, jsonObject } from './usage-figures.ts';

export interface PrivateLines {
  /** Takes the file's next entry. */
  take(line: Json): 'resumed' | 'private' | 'open';
  /** Whether a line that cannot be read is private: whose it is after `resumed`, nobody knows. */
  readonly isPaused: boolean;
}

export function createPrivateLines(): PrivateLines {
  let isPaused = false;
  let awaitsResults = false;
  return {
    take(line) {
      const switched = readSwitch(line);
      if (switched !== null) {
        isPaused = switched === 'paused';
        awaitsResults = !isPaused;
        return isPaused ? 'open' : 'resumed';
      }
      awaitsResults &&= readMessage(line)?.role === 'toolResult';
      return isPaused || awaitsResults ? 'private' : 'open';
    },
    get isPaused() {
      return isPaused;
    },
  };
}

function readSwitch(line: Json): 'paused' | 'resumed' | null {
  if (line.type !== 'custom' || line.customType !== 'pi-ledger.recording') return null;
  const state = jsonObject(line.data)?.state;
  return state === 'paused' || state === 'resumed' ? state : null;
}
