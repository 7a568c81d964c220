/** Reads all events of a log in order, some at a time, without damaged and withdrawn ones. */
import type { LedgerEvent } from '@pi-ledger/contract';
import type { Log } from '../log/log.ts';
import { readEvent } from '../log/stored-event.ts';

const readEvents = 1_000;
const readChars = 1024 * 1024;

export async function* wholeLog(log: Log): AsyncGenerator<LedgerEvent> {
  for (let after = 0; ; ) {
    const texts = await log.readTexts(after, readEvents, readChars);
    if (texts.length === 0) return;
    const withdrawals = await log.withdrawals();
    for (const text of texts) {
      const stored = readEvent(text);
      if (stored.damage === undefined && !withdrawals.names(stored)) yield stored.event;
      after = text.position;
    }
  }
}

/** The importing user may not read the log. */
export class LogClosedError extends Error {
  override readonly name = 'LogClosedError';
}
