/**
 * Bundles the command line and the collector into `dist/`: half of a short command's time went into
 * finding and reading some 400 modules (docs/decisions/0010). `npm install` in a checkout runs
 * this; `bin/pi-ledger.mjs` takes the bundle unless a source file is newer. An argument names
 * another directory for it.
 */
import { fileURLToPath } from 'node:url';
import { withLicenses } from '../extension/licenses.mjs';

const bundler = await import('rolldown').catch((error) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return null; // installed without development dependencies: the sources run as they are
  throw error;
});

if (bundler === null) {
  console.log('pi-ledger: no bundler here, commands run from their sources.');
} else {
  const directory = fileURLToPath(new URL('.', import.meta.url));
  const bundle = await bundler.rolldown({
    // A worker thread is started from a file of its own (importers/threads/runner.ts).
    input: {
      main: `${directory}cli/main.ts`,
      'read-worker': `${directory}importers/threads/read-worker.ts`,
    },
    platform: 'node',
    // All else is in it, the database driver in a file of its own that is loaded when it is needed:
    // the image has the bundle and no packages.
    external: [/^node:/],
    checks: { ineffectiveDynamicImport: false }, // a dynamic import still says what a command needs only when it runs
    plugins: [withWhatIsRequired(), withLicenses()],
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
 * What is slow to load and seldom needed is required where it is needed, by `createRequire`, which
 * looks beside the file at run time: the bundler does not see it, and beside a bundle there is
 * nothing. A plain `require` it takes in, and runs when it is reached.
 */
function withWhatIsRequired() {
  const id = /[\\/]collector[\\/].*\.ts$/;
  const handler = (code) => code.replaceAll("createRequire(import.meta.url)('", "require('");
  return {
    name: 'with-what-is-required',
    transform: { filter: { id, code: 'createRequire(import.meta.url)(' }, handler },
  };
}
