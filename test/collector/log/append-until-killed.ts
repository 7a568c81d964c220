/** A child of sqlite-kill.test.ts: appends for ever and prints the ids of each batch after its ack. */
import { openSqliteLog } from '../../../collector/log/sqlite.ts';
import { exampleEvents } from '../support/events.ts';

const [path = '', start = '1'] = process.argv.slice(2);
const log = openSqliteLog({ path });
const size = 40;

for (let first = Number(start); ; first += 2 * size) {
  const firsts = [first, first + size];
  await Promise.all(
    firsts.map(async (number) => {
      const events = exampleEvents(number, size);
      await log.append({ receivedAtMs: Date.now(), events, deadLetters: [] });
      process.stdout.write(`${events.map(({ id }) => id).join(' ')}\n`);
    }),
  );
}
