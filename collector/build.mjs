/**
 * Bundles the command line and the collector into `dist/`: half of a short command's time went into finding and reading some 400 modules
 * (docs/decisions/0010). `npm install` in a checkout runs this; `bin/pi-ledger.mjs` takes the bundle unless a source file is newer. An argument names another
 * directory for it.
 */
import { fileURLToPath } from 'node:url';

const bundler = await import('rolldown').catch((error) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return null; // installed without development dependencies: the sources run as they are
  throw error;
});

if (bundler === null) {
  console.log('pi-ledger: no bundler here, commands run from their sources.');
} else {
  const directory = fileURLToPath(new URL('.', import.meta.url));
  const bundle = await bundler.rolldown({
    // A worker thread is started from a file of its own (importers/runner.ts).
    input: { main: `${directory}cli/main.ts`, 'read-worker': `${directory}importers/read-worker.ts` },
    platform: 'node',
    // All else is in it, the database driver in a file of its own that is loaded when it is needed: the image has the bundle and no packages.
    external: [/^node:/],
    checks: { ineffectiveDynamicImport: false }, // a dynamic import still says what a command needs only when it runs
    plugins: [withoutUmzugsCommandLine()],
  });
  await bundle.write({
    dir: process.argv[2] ?? `${directory}dist`,
    format: 'esm',
    minify: true,
    cleanDir: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
}

/**
 * umzug loads a command line of its own, which nobody here calls: half a megabyte at every start, with a `require` that an ES module does not have, so that
 * no command would run.
 */
function withoutUmzugsCommandLine() {
  const id = /[\\/]umzug[\\/]lib[\\/]cli\.js$/;
  return { name: 'without-umzugs-command-line', load: { filter: { id }, handler: () => 'exports.UmzugCLI = class {};' } };
}
