/**
 * Bundles the extension into `dist/index.cjs`, the form that hosts load fastest: jiti transpiles
 * each TypeScript file separately on first load and looks each up on later loads, but leaves a
 * CommonJS file alone (docs/decisions/0024). `npm install` in a checkout runs this.
 */
import { fileURLToPath } from 'node:url';
import { withLicenses } from '../core/licenses.mjs';

if (Number.parseInt(process.versions.node, 10) < 20) {
  // npm only warns of it, among warnings that mean nothing (.npmrc).
  console.error(`pi-ledger needs Node 20 or newer, this is ${process.versions.node}.`);
  process.exit(1);
}

const bundler = await import('rolldown').catch((error) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return null; // installed without development dependencies: hosts load the sources
  throw error;
});

if (bundler === null) {
  console.log('pi-ledger: no bundler installed; hosts load the extension from its sources.');
} else {
  const directory = fileURLToPath(new URL('.', import.meta.url));
  const bundle = await bundler.rolldown({
    input: `${directory}index.ts`,
    platform: 'node',
    external: [/^node:/],
    plugins: [withLicenses()],
  });
  await bundle.write({
    dir: `${directory}dist`,
    format: 'cjs',
    exports: 'default',
    minify: true,
    cleanDir: true,
    entryFileNames: 'index.cjs',
    chunkFileNames: '[name].cjs',
    // What several chunks need would be called after any one of its modules.
    codeSplitting: {
      groups: [
        { name: 'record', test: /core[\\/](?:record|spend)[\\/]/ },
        {
          name: 'settings',
          test: /contract[\\/]settings[\\/]|settings-file\.ts$|extension[\\/]config\.ts$/,
        },
        { name: 'recorder', test: /extension[\\/](?:host|live)[\\/]/ },
      ],
    },
  });
  await bundle.close();
}
