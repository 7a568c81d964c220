/**
 * Reconcile finds session files with its own code, in the same directories as an import; otherwise
 * it would call imported files gone.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultRoots } from '../../../../collector/importers/default-roots.ts';
import { defaultSearches } from '../../../../collector/reconcile/readers/searches.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { header, writeFile } from '../support/two-sides.ts';

const root = temporaryDirectory();
const data = join(root, 'data');

async function directoriesFor(environment: Record<string, string>): Promise<readonly string[]> {
  return (await defaultSearches(environment)).flatMap(({ directories }) => directories);
}

describe('where reconcile looks for session files', () => {
  it.each([
    ['nothing is set', {}],
    [
      'pi is moved',
      { PI_CODING_AGENT_DIR: join(root, 'moved'), PI_CODING_AGENT_SESSION_DIR: '~/elsewhere' },
    ],
    [
      'a variable is empty',
      {
        PI_CODING_AGENT_DIR: '',
        PI_CODING_AGENT_SESSION_DIR: '',
        XDG_DATA_HOME: '',
        PI_CONFIG_DIR: '',
      },
    ],
    ['a path is not absolute', { PI_CODING_AGENT_SESSION_DIR: '.' }],
    ['a path is the home directory', { PI_CODING_AGENT_SESSION_DIR: '~' }],
    ['a path ends in a tilde', { PI_CODING_AGENT_DIR: join(root, 'old~') }],
    ['omp is renamed', { PI_CONFIG_DIR: '.other' }],
    ['omp has a profile', { OMP_PROFILE: 'work' }],
    ['omp has a profile by its other name', { PI_PROFILE: 'home' }],
    ['data are kept apart without a profile', { XDG_DATA_HOME: data }],
    ['data are kept apart', { XDG_DATA_HOME: data, OMP_PROFILE: 'work' }],
  ])('where an import does, when %s', async (_when, set: Record<string, string>) => {
    const home = mkdtempSync(join(root, 'home-'));
    const env = { ...set, HOME: home };
    const imported = defaultRoots(env, home).map(({ directory }) => directory);
    for (const directory of imported) mkdirSync(directory, { recursive: true });
    expect([...(await directoriesFor(env))].sort()).toEqual([...new Set(imported)].sort());
  });

  it('below a home directory whose name would be a pattern', async () => {
    const home = mkdtempSync(join(root, 'a$$b$&-'));
    mkdirSync(join(home, 'moved'));
    const env = { HOME: home, PI_CODING_AGENT_SESSION_DIR: '~/moved' };
    expect(await directoriesFor(env)).toEqual([join(home, 'moved')]);
  });

  it.each<[where: string, sessions: string, env: Record<string, string>]>([
    ['by default', '.omp/agent/sessions', {}],
    ['of a profile', '.omp/profiles/work/agent/sessions', { OMP_PROFILE: 'work' }],
    ['kept apart', 'data/omp/sessions', { XDG_DATA_HOME: 'data' }],
  ])(
    'and in projects that sessions of omp name, for its swarms: %s',
    async (_where, sessions, env) => {
      const home = mkdtempSync(join(root, 'home-'));
      const project = join(home, 'shop');
      const swarm = writeFile(home, 'shop/.swarm_x/context/s.jsonl', [header('s', 0)]);
      writeFile(home, `${sessions}/-shop/a.jsonl`, [{ ...header('a', 0), cwd: project }]);
      writeFile(home, '.pi/agent/sessions/-bank/a.jsonl', [{ ...header('b', 0), cwd: project }]);
      const set = { ...env, ...(env.XDG_DATA_HOME && { XDG_DATA_HOME: join(home, 'data') }) };
      expect(await directoriesFor({ ...set, HOME: home })).toEqual(
        expect.arrayContaining([join(home, sessions), swarm]),
      );
      rmSync(join(home, sessions), { recursive: true });
      expect(await directoriesFor({ ...set, HOME: home })).toEqual([
        join(home, '.pi/agent/sessions'),
      ]);
    },
  );

  it('in none that is not there', async () => {
    expect(await directoriesFor({ HOME: mkdtempSync(join(root, 'home-')) })).toEqual([]);
  });
});
