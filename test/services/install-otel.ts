/**
 * Puts the servers of the lane `otel` into the cache folder of the tests; what is there already is
 * left alone. `.ci/run` does it before the lanes, so that none of them waits for a compiler.
 */
import { findOtelcol } from './otelcol/program.ts';
import { findPrometheus } from './prometheus/programs.ts';

for (const find of [findPrometheus, findOtelcol]) {
  const startedMs = performance.now();
  const { name } = await find(process.env);
  console.log(`${name}, ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}
