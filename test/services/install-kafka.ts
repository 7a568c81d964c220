/** Puts the jars of the lane `kafka` into the cache folder of the tests, if they are missing. */
import { archiveClasses, findBrokerJars } from './kafka/jars.ts';
import { startLocalBroker } from './kafka/local-broker.ts';

const jars = await findBrokerJars(process.env);
await archiveClasses(jars, async (flags) => {
  const broker = await startLocalBroker(process.env, { flags });
  await broker.stop();
});
console.log(jars.name);
