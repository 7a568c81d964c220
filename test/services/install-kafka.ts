/** Puts the jars of the lane `kafka` into the cache folder of the tests, if they are missing. */
import { archiveClasses, findBrokerJars } from './kafka/jars.ts';
import { startLocalBroker } from './kafka/local-broker.ts';

const jars = await findBrokerJars(process.env);
const skipped = await archiveClasses(jars, async (flags) => {
  const broker = await startLocalBroker(process.env, { flags });
  await broker.stop();
  if (broker.wasKilled()) throw new Error('the broker did not end by itself');
});
if (skipped !== null)
  console.log(`Brokers start slower, without an archive of classes: ${skipped}`);
console.log(jars.name);
