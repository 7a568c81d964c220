#!/usr/bin/env node
/**
 * Starts the command line on a Node that can run it. Plain JavaScript for Node 20 and newer: an
 * older Node than the collector needs executes this file again with one that npm fetches.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInPlace } from './in-place.mjs';
import { isNewEnough, ledgerHome, newerNode } from './newer-node.mjs';
import { endWithParents, runBy } from './parents.mjs';

const exitMsMax = 2_000;

endWithParents();
if (isNewEnough()) await run();
else await runOnNewer();

async function runOnNewer() {
  const command = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const env = { ...process.env, [runBy]: String(process.pid) };
  runInPlace(await newerNode(), command, { env });
}

async function run() {
  silenceExperimental();
  // Half of a start would be spent on compiling what the last start compiled. Not in the temporary
  // directory: others can write there.
  const home = ledgerHome();
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
