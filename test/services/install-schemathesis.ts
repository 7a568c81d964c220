/** Puts Schemathesis into the cache folder of the tests, if it is missing. */
import { findSchemathesis } from './schemathesis/program.ts';

const { name } = await findSchemathesis(process.env);
console.log(name);
