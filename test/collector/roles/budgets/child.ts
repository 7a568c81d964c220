/** A collector of the home in PI_LEDGER_HOME, until it is killed. Prints its address. */
import { loadCollectorConfig } from '../../../../collector/config/config.ts';
import { startCollector } from '../../../../collector/main.ts';

const collector = await startCollector(loadCollectorConfig(process.env), {
  logStream: { write: (line) => void process.stderr.write(line) },
});
process.stdout.write(`${collector.url}\n`);
await collector.stopped;
