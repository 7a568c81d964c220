/**
 * A process to be killed: appends batches without end, two at a time, and prints the first number
 * of each after its ack.
 */
import type { Log } from '../../../collector/log/log.ts';
import { exampleEvents } from '../../collector/support/events.ts';

export const batchEvents = 40;

export async function appendForEver(log: Log, start: number): Promise<never> {
  for (let first = start; ; first += 2 * batchEvents) {
    await Promise.all(
      [first, first + batchEvents].map(async (number) => {
        await log.append({
          receivedAtMs: Date.now(),
          events: exampleEvents(number, batchEvents),
          deadLetters: [],
        });
        process.stdout.write(`${number}\n`);
      }),
    );
  }
}
