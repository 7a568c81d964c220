/** Puts the jars of the lane `kafka` into the cache folder of the tests, if they are missing. */
import { findBrokerJars } from './kafka/jars.ts';

const { name } = await findBrokerJars(process.env);
console.log(name);
