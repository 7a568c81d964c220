/**
 * Installs the browser of the lane `web`, and its headless shell, where Debian's packages can be
 * installed and one of them lacks.
 */
import { execFileSync, type StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium, findHeadlessShell } from './program.ts';

const stdio: StdioOptions = ['ignore', 'ignore', 'inherit'];
const packages = ['chromium', 'chromium-headless-shell'];
const isNamed = (process.env.PI_LEDGER_CHROMIUM ?? '') !== '';
const isWhole = await findChromium(process.env).then(
  () => isNamed || findHeadlessShell(process.env) !== null,
  () => false,
);
if (!isWhole && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  execFileSync('apt-get', ['update', '-qq'], { stdio });
  execFileSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio });
}
console.log((await findChromium(process.env)).name);
