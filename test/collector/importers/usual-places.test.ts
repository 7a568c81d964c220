/** Where hosts keep their sessions by default. */
import { expect, it } from 'vitest';
import { omp } from '../../../collector/importers/omp.ts';
import { pi } from '../../../collector/importers/pi.ts';
import { defaultRoots, importers } from '../../../collector/importers/registry.ts';

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
])('a file called %s may be a session of %j', (name, hosts) => {
  expect(
    importers.filter((importer) => importer.isSessionFile(name)).map((importer) => importer.name),
  ).toEqual(hosts);
});

it('are looked at for every host, and need not be there', () => {
  expect(defaultRoots({}, home)).toEqual([
    { importer: pi, directory: '/home/ada/.pi/agent/sessions', isNamed: false },
    { importer: omp, directory: '/home/ada/.omp/agent/sessions', isNamed: false },
  ]);
});
