/** Installs the browser of the lane `web` where Debian's packages can be installed, if it lacks. */
import { execFileSync, type StdioOptions } from 'node:child_process';
import { findChromium } from './program.ts';

const stdio: StdioOptions = ['ignore', 'ignore', 'inherit'];
const found = await findChromium(process.env).catch(() => null);
if (found === null && process.getuid?.() === 0) {
  execFileSync('apt-get', ['update', '-qq'], { stdio });
  execFileSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio });
}
console.log((await findChromium(process.env)).name);
