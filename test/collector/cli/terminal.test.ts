import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const terminal = new URL('../../../collector/cli/terminal.ts', import.meta.url).href;
/** Line by line, over more than one turn of the event loop, as a command with a long answer. */
const script = `
  const { processTerminal } = await import('${terminal}');
  const { print } = processTerminal();
  for (let count = 0; count < 20; count++) {
    for (let line = 0; line < 500; line++) print('a line of some length, again and again ' + line);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
`;

it('ends in good order when nobody reads on', () => {
  const pipe = `set -o pipefail; "$0" --input-type=module -e "$1" | head -n 1`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', pipe, process.execPath, script], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'a line of some length, again and again 0\n', stderr: '' });
});
