/** Where hosts keep their sessions by default. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultRoots } from '../../../collector/importers/default-roots.ts';
import { discover } from '../../../collector/importers/discover.ts';
import { createIssues } from '../../../collector/importers/issues.ts';
import { omp } from '../../../collector/importers/omp/importer.ts';
import { pi } from '../../../collector/importers/pi/importer.ts';
import { importers } from '../../../collector/importers/registry.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory();
const home = '/home/ada';

it.each([
  [{}, ['/home/ada/.pi/agent/sessions']],
  [{ PI_CODING_AGENT_DIR: '/opt/pi' }, ['/home/ada/.pi/agent/sessions', '/opt/pi/sessions']],
  [{ PI_CODING_AGENT_DIR: '~/pi/' }, ['/home/ada/.pi/agent/sessions', '/home/ada/pi/sessions']],
  [{ PI_CODING_AGENT_DIR: '~' }, ['/home/ada/.pi/agent/sessions', '/home/ada/sessions']],
  [{ PI_CODING_AGENT_DIR: '~/.pi/agent' }, ['/home/ada/.pi/agent/sessions']],
  [
    { PI_CODING_AGENT_DIR: 'relative', PI_CODING_AGENT_SESSION_DIR: '' },
    ['/home/ada/.pi/agent/sessions'],
  ],
  [
    { PI_CODING_AGENT_SESSION_DIR: '/srv/./sessions' },
    ['/home/ada/.pi/agent/sessions', '/srv/sessions'],
  ],
])('of pi, with %j, are %j', (environment, directories) => {
  expect(pi.defaultDirectories(environment, home)).toEqual(directories);
});

it.each([
  [{}, ['/home/ada/.omp/agent/sessions']],
  [{ PI_CONFIG_DIR: '.mine' }, ['/home/ada/.mine/agent/sessions']],
  [{ PI_CONFIG_DIR: '' }, ['/home/ada/.omp/agent/sessions']],
  [
    { OMP_PROFILE: 'work', PI_PROFILE: 'other' },
    ['/home/ada/.omp/agent/sessions', '/home/ada/.omp/profiles/work/agent/sessions'],
  ],
  [
    { OMP_PROFILE: '', PI_PROFILE: 'other' },
    ['/home/ada/.omp/agent/sessions', '/home/ada/.omp/profiles/other/agent/sessions'],
  ],
  [{ XDG_DATA_HOME: '/data' }, ['/home/ada/.omp/agent/sessions', '/data/omp/sessions']],
  [
    { XDG_DATA_HOME: '/data', PI_PROFILE: 'work' },
    [
      '/home/ada/.omp/agent/sessions',
      '/home/ada/.omp/profiles/work/agent/sessions',
      '/data/omp/sessions',
      '/data/omp/profiles/work/sessions',
    ],
  ],
  [{ XDG_DATA_HOME: '' }, ['/home/ada/.omp/agent/sessions']],
])('of omp, with %j, are %j', (environment, directories) => {
  expect(omp.defaultDirectories(environment, home)).toEqual(directories);
});

it.each([
  ['a.jsonl', ['pi', 'omp']],
  ['.a.jsonl', ['pi']],
  ['a.json', []],
  ['a.jsonl.bak', []],
])('a file called %s may be a session of %j', async (name, hosts) => {
  const directory = mkdtempSync(join(root, 'usual-'));
  writeFileSync(join(directory, name), '');
  const found = await Promise.all(
    importers.map((importer) => discover([{ importer, directory, isNamed: true }], createIssues())),
  );
  expect(found.flat().map(({ importer }) => importer.name)).toEqual(hosts);
});

it('are looked at for every host, and need not be there', () => {
  expect(defaultRoots({}, home)).toEqual([
    { importer: pi, directory: '/home/ada/.pi/agent/sessions', isNamed: false },
    { importer: omp, directory: '/home/ada/.omp/agent/sessions', isNamed: false },
  ]);
});
