/**
 * Bundles the extension into `dist/index.cjs`, the form that hosts load fastest: jiti transpiles
 * each TypeScript file separately on first load and looks each up on later loads, but leaves a
 * CommonJS file alone (docs/decisions/0024). `npm install` in a checkout runs this.
 */
import { fileURLToPath } from 'node:url';
import { withLicenses } from '../core/licenses.mjs';
import { splitLazily, withoutProse } from './lazy-chunks.mjs';

if (Number.parseInt(process.versions.node, 10) < 20) {
  // npm only warns of it, among warnings that mean nothing (.npmrc).
  console.error(`pi-ledger needs Node 20 or newer, this is ${process.versions.node}.`);
  process.exit(1);
}

/**
 * What comes when it is first needed, and is then evaluated at once: files without their ending,
 * and folders.
 */
const lazyChunks = {
  amounts: ['contract/amounts', 'core/text/share-text', 'extension/command/amounts'],
  budgets: ['extension/command/budgets', 'extension/host/dialog'],
  compactions: ['core/record/compaction', 'core/record/context-edit', 'extension/live/compactions'],
  contents: ['core/content'],
  git: ['core/project'],
  lease: ['core/spool/lease', 'core/spool/liveness'],
  ledger: ['extension/command/answer', 'extension/command/names'],
  misspelt: ['contract/settings/misspelt'],
  pausing: ['extension/live/pausing'],
  turns: [
    'core/record/account',
    'core/record/claim',
    'core/record/estimate',
    'core/record/link',
    'core/record/message',
    'core/record/message-entry',
    'core/record/message-state',
    'core/record/nested-model',
    'core/record/orchestration',
    'core/record/other-agent',
    'core/record/paths',
    'core/record/recording-switch',
    'core/record/sizes',
    'core/record/spend',
    'core/record/summary-spend',
    'core/record/tool-usage',
    'core/record/usage',
    'core/record/identity/unnamed-entry',
    'extension/live/add-spend',
    'extension/live/context-changes',
    'extension/live/count-drafts',
    'extension/live/hooks',
    'extension/live/human',
    'extension/live/limits',
    'extension/live/package-requests',
    'extension/live/path-lookup',
    'extension/live/repeated-spend',
    'extension/live/request-book',
    'extension/live/requests',
    'extension/live/run',
    'extension/live/running-tools',
    'extension/live/starter',
    'extension/live/turn-steps',
    'extension/live/weights',
    'extension/host/human',
    'extension/host/model-origins',
    'extension/host/requests',
    'extension/host/run-events',
    'core/spend',
  ],
};

const bundler = await import('rolldown').catch((error) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return null; // installed without development dependencies: hosts load the sources
  throw error;
});

if (bundler === null) {
  console.log('pi-ledger: no bundler installed; hosts load the extension from its sources.');
} else {
  const source = fileURLToPath(new URL('.', import.meta.url));
  const entry = `${source}index.ts`;
  const { codeSplitting, plugin } = splitLazily(lazyChunks, entry);
  const bundle = await bundler.rolldown({
    input: entry,
    platform: 'node',
    external: [/^node:/],
    plugins: [withLicenses(), withoutProse(), plugin],
    preserveEntrySignatures: 'allow-extension',
  });
  await bundle.write({
    dir: process.argv[2] ?? `${source}dist`,
    format: 'cjs',
    exports: 'default',
    minify: true,
    cleanDir: true,
    entryFileNames: 'index.cjs',
    chunkFileNames: '[name].cjs',
    codeSplitting,
  });
  await bundle.close();
}
