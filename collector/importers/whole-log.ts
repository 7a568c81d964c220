/** Reads all events of a log in order, some at a time, without damaged ones. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Log } from '../log/log.ts';
import { readEvent } from '../log/stored-event.ts';

const readEvents = 1_000;
const readChars = 1024 * 1024;

export async function* wholeLog(log: Log): AsyncGenerator<LedgerEvent> {
  for (let after = 0; ; ) {
    const texts = await log.readTexts(after, readEvents, readChars);
    if (texts.length === 0) return;
    for (const stored of texts) {
      const { event, damage } = readEvent(stored);
      if (damage === undefined) yield event;
      after = stored.position;
    }
  }
}

/** The importing user may not read the log. */
export class LogClosedError extends Error {
  override readonly name = 'LogClosedError';
}
