/**
 * `node run.mjs <file or command> <arguments>`: runs a script of this checkout, or a command of its
 * packages, on a Node that can. Where the machine's own is too old, npm fetches one the first time,
 * and from then on it is the checkout's `node`: for `npm run`, and for `npx`.
 */
import { rmSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInPlace } from './collector/bin/in-place.mjs';
import { isNewEnough, newerNode } from './collector/bin/newer-node.mjs';

const commands = fileURLToPath(new URL('node_modules/.bin', import.meta.url));
const node = isNewEnough() ? process.execPath : await linkedNode();
const PATH = [dirname(node), commands, process.env.PATH].join(delimiter);
const [program = '', ...args] = process.argv.slice(2);
if (/\.(ts|mjs)$/.test(program)) runInPlace(node, [program, ...args]);
else runInPlace(program, args, { env: { ...process.env, PATH }, shell: onWindows() });

async function linkedNode() {
  const path = await newerNode();
  if (onWindows()) return path;
  const link = join(commands, 'node');
  rmSync(link, { force: true });
  symlinkSync(path, link);
  return path;
}

/** Commands are scripts there, and links need a right that few have. */
function onWindows() {
  return process.platform === 'win32';
}
