/**
 * Bundles the command line and the collector into `dist/`: half of a short command's time went into finding and reading some 400 modules
 * (docs/decisions/0010). `npm install` in a checkout runs this; `bin/pi-ledger.mjs` takes the bundle unless a source file is newer.
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
    external: [/^node:/],
    checks: { ineffectiveDynamicImport: false }, // a dynamic import still says what a command needs only when it runs
  });
  await bundle.write({
    dir: `${directory}dist`,
    format: 'esm',
    minify: true,
    cleanDir: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
}
