import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../collector/support/directory.ts';
import { archiveClasses } from '../../services/kafka/jars.ts';

const root = temporaryDirectory();
const emptyFolder = (): string => mkdtempSync(join(root, 'jars-'));

function pathIn([flag = '']: readonly string[]): string {
  return flag.replace('-XX:ArchiveClassesAtExit=', '');
}

it('the classes of a broker that ended by itself are kept', async () => {
  const directory = join(emptyFolder(), 'kafka');
  const runs: string[] = [];
  const run = async (flags: readonly string[]): Promise<void> => {
    runs.push(pathIn(flags));
    writeFileSync(pathIn(flags), 'classes');
  };
  expect(await archiveClasses({ directory }, run)).toBeNull();
  expect(readFileSync(`${directory}.jsa`, 'utf8')).toBe('classes');
  expect(existsSync(runs[0] ?? '')).toBe(false);
  expect(await archiveClasses({ directory }, run)).toBeNull();
  expect(runs).toHaveLength(1);
});

it.each([
  ['does not start', () => undefined, 'no broker'],
  ['had to be killed while it wrote them', (path: string) => writeFileSync(path, 'cla'), 'killed'],
  ['wrote none', () => undefined, null],
] as const)('a broker that %s costs the archive, and nothing else', async (_, write, reason) => {
  const folder = emptyFolder();
  const why = await archiveClasses({ directory: join(folder, 'kafka') }, async (flags) => {
    write(pathIn(flags));
    if (reason !== null) throw new Error(reason);
  });
  expect(why).toContain(reason ?? 'ENOENT');
  expect(readdirSync(folder)).toEqual([]);
});
