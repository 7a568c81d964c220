/**
 * `npm run witness -- record DIRECTORY [--tree PATH] [--data demo,files,corpus,growth] [--events N]
 * [--further PATH]... [--store sqlite|mongodb]`: writes down what a tree answers, command by
 * command and route by route. `npm run witness -- compare BEFORE AFTER` shows every answer that
 * changed, and ends with 1 if there is one.
 *
 * Lines are broken where they are too long, paths in them included: compare trees whose paths have
 * the same length.
 *
 * The recorder drives any tree by its command line and by HTTP alone, so that an old tree and a new
 * one are asked in the same way. Nothing in it knows what is right.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { differences } from './compare.ts';
import { corpus, type DataSet, demo, files, growth } from './data.ts';
import { record } from './record.ts';
import { withStores } from './stores.ts';

const eventsDefault = 1_000_000;
const root = resolve(import.meta.dirname, '..', '..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tree: { type: 'string', default: root },
    data: { type: 'string', default: 'demo,files,corpus,growth' },
    events: { type: 'string', default: String(eventsDefault) },
    further: { type: 'string', multiple: true, default: [] },
    store: { type: 'string', default: 'sqlite' },
  },
});
const [verb, first, second] = positionals;
if (verb === 'record' && first !== undefined) await recordAll(resolve(first));
else if (verb === 'compare' && first !== undefined && second !== undefined)
  process.exitCode = compareAll(resolve(first), resolve(second));
else {
  console.error('Either record DIRECTORY, or compare BEFORE AFTER.');
  process.exitCode = 2;
}

async function recordAll(directory: string): Promise<void> {
  const wanted = values.data.split(',').flatMap(dataNamed);
  await withStores(values.store, async (makeStore) => {
    for (const data of wanted) {
      const startedMs = performance.now();
      await record(resolve(values.tree), data, makeStore, directory);
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      console.error(`  ${data.name}: ${seconds} s`);
    }
  });
}

function dataNamed(name: string): readonly DataSet[] {
  if (name === 'demo') return [demo()];
  if (name === 'files') return [files(values.further.map((path) => resolve(path)))];
  if (name === 'corpus') return corpus();
  if (name === 'growth') return [growth(Number(values.events))];
  throw new Error(`--data: ${name} is none of demo, files, corpus, growth`);
}

function compareAll(before: string, after: string): 0 | 1 {
  const found = differences(before, after);
  for (const { file, is, lines } of found) console.log([`${is}: ${file}`, ...lines].join('\n  '));
  console.log(found.length === 0 ? 'No answer differs.' : `${found.length} answers differ.`);
  return found.length === 0 ? 0 : 1;
}
