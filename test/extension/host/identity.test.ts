import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifyHost, modeOfCommandLine, runEndEvent } from '../../../extension/host/identity.ts';

let root = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pi-ledger-identity-')));
  const home = join(root, 'lib/node_modules/@earendil-works/pi-coding-agent');
  mkdirSync(join(home, 'dist/bundle'), { recursive: true });
  mkdirSync(join(root, 'bin'));
  writeFileSync(
    join(home, 'package.json'),
    JSON.stringify({ name: '@earendil-works/pi-coding-agent', version: '0.87.1' }),
  );
  writeFileSync(join(home, 'dist/package.json'), '{"type":"module"}');
  writeFileSync(join(home, 'dist/bundle/cli.js'), '');
  symlinkSync(join(home, 'dist/bundle/cli.js'), join(root, 'bin/pi'));
});

afterAll(() => rmSync(root, { recursive: true }));

describe('identifyHost', () => {
  it('knows pi by the package of the program, also behind the symlink of a global install', () => {
    expect(identifyHost({}, { script: join(root, 'bin/pi'), executable: '/usr/bin/node' })).toEqual(
      { name: 'pi', version: '0.87.1' },
    );
  });

  it('knows omp by the module that it hands out', () => {
    expect(
      identifyHost(
        { pi: { VERSION: '18.2.3' } },
        { script: join(root, 'bin/pi'), executable: 'bun' },
      ),
    ).toEqual({
      name: 'omp',
      version: '18.2.3',
    });
  });

  it('has no version if pi is part of another program', () => {
    for (const script of [undefined, '/nowhere/app.js', join(root, 'bin')]) {
      expect(identifyHost(null, { script, executable: '/nowhere/app' })).toEqual({
        name: 'pi',
        version: null,
      });
    }
  });
});

describe('modeOfCommandLine', () => {
  it.each([
    [['-p', 'hello'], true, 'print'],
    [['--print'], true, 'print'],
    [['--mode', 'json', '-p'], true, 'json'],
    [['--mode', 'rpc'], false, 'rpc'],
    [['--mode', 'text', 'hello'], true, 'tui'],
    [[], true, 'tui'],
    [[], false, 'print'],
    [['--mode'], true, 'tui'],
  ])('of %j, on a terminal: %s, is %s', (args, isTerminal, mode) => {
    expect(modeOfCommandLine(args, isTerminal)).toBe(mode);
  });
});

describe('runEndEvent', () => {
  it.each([
    ['omp', '18.2.3', 'agent_end'],
    ['pi', '0.73.1', 'unreported'],
    ['pi', '0.80.3', 'unreported'],
    ['pi', '0.80.4', 'agent_settled'],
    ['pi', '0.87.1', 'agent_settled'],
    ['pi', '1.5.2', 'agent_settled'],
    ['pi', null, 'agent_settled'],
  ] as const)('of %s %s is %s', (name, version, end) => {
    expect(runEndEvent({ name, version })).toBe(end);
  });
});
