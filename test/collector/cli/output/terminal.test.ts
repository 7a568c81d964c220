import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';

const terminal = new URL('../../../../collector/cli/output/terminal.ts', import.meta.url).href;
const screen = new URL('../../../../collector/cli/output/screen.ts', import.meta.url).href;
/** Line by line, over more than one turn of the event loop, as a command with a long answer. */
const script = `
  const { processScreen } = await import('${screen}');
  const { terminalOn } = await import('${terminal}');
  const { print } = terminalOn(processScreen());
  for (let count = 0; count < 20; count++) {
    for (let line = 0; line < 500; line++) print('a line of some length, again and again ' + line);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
`;

it('ends normally if its reader stops', () => {
  const pipe = `set -o pipefail; "$0" --input-type=module -e "$1" | head -n 1`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', pipe, process.execPath, script], {
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: 'a line of some length, again and again 0\n',
    stderr: '',
  });
});

it('reports in one line that its output cannot be written, goes on, and exits with 1', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `${script}; console.error('went on');`],
    {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    },
  );
  closeSync(full);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^pi-ledger: the output is incomplete: ENOSPC.*\nwent on\n$/),
  });
});

it('goes on if its log cannot be written', () => {
  const full = openSync('/dev/full', 'w');
  const complaining = `
    const { processScreen } = await import('${screen}');
    const { terminalOn } = await import('${terminal}');
    const { print, complain } = terminalOn(processScreen());
    for (let count = 0; count < 3; count++) {
      complain('a warning');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    print('went on');
  `;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', complaining],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', full],
    },
  );
  closeSync(full);
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'went on\n' });
});
