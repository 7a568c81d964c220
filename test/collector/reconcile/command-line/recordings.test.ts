import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine, faultsIn } from '../support/command-line.ts';

const recordings = fileURLToPath(new URL('../../../extension/data/sessions', import.meta.url));
const directory = temporaryDirectory();

describe('reconcile on recordings of real hosts', () => {
  const runs = readdirSync(recordings).flatMap((host) =>
    readdirSync(join(recordings, host)).map((run) => `${host}/${run}`),
  );

  it.each(runs)('finds %s in the log as it stands in the files', async (run) => {
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', join(recordings, run));
    const { code, answer } = await ledger.reconcile('--pi', join(recordings, run));
    expect({ code, faults: faultsIn(answer) }).toEqual({ code: 0, faults: [] });
    expect(answer.totals.log.records).toBeGreaterThan(0);
  });

  it('finds all of them together', async () => {
    const ledger = commandLine(directory);
    await ledger.run('import', '--pi', recordings);
    const { code, answer } = await ledger.reconcile('--pi', recordings);
    expect({ code, faults: faultsIn(answer) }).toEqual({ code: 0, faults: [] });
  });

  it('says that nothing was imported before the first import', async () => {
    const { code, answer } = await commandLine(directory).reconcile('--pi', recordings);
    expect({ code, faults: faultsIn(answer) }).toEqual({ code: 1, faults: ['not_imported'] });
  });
});
