/** What a process loads to open a ledger: of one cell, nothing that only several need. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { laneDatabases } from '../services/mongodb/databases.ts';

const databases = laneDatabases();

/** Loads a collector of any role and opens the ledger as a worker does, then as `copy` does. */
const opening = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
  const [collector, uri, cells] = process.argv.slice(1);
  await import(collector + 'main.ts');
  const { mongodb } = await import(collector + 'stores/mongodb/driver.ts');
  const options = { now: Date.now, onError: console.error, cells: Number(cells) };
  for (const store of await mongodb.openCells(uri, options)) await store.close();
  await (await mongodb.openToRead(uri)).close();
  console.log(JSON.stringify(loaded));
`;

async function loadedFor(cells: number): Promise<readonly string[]> {
  const collector = new URL('../../collector/', import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--input-type=module', '-e', opening],
    ...[collector, databases.uri(), String(cells)],
  ]);
  return (JSON.parse(stdout) as string[])
    .filter((url) => url.startsWith(collector))
    .map((url) => url.slice(collector.length));
}

it('loads nothing of collector/cells/ for one cell, and does for several', async () => {
  const forOne = await loadedFor(1);
  expect(forOne).toEqual(expect.arrayContaining(['main.ts', 'stores/mongodb/parts.ts']));
  expect(forOne.filter((path) => path.startsWith('cells/'))).toEqual([]);
  expect(await loadedFor(3)).toEqual(
    expect.arrayContaining(['cells/mongodb/other-cells.ts', 'cells/log/joined-log.ts']),
  );
});
