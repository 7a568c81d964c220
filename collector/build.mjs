/**
 * Bundles the command line and the collector into `dist/`: a short command spent half its time
 * finding and reading some 400 modules (docs/decisions/0024). The page goes into `dist/web/`.
 * `npm install` in a checkout runs this; `bin/pi-ledger.mjs` uses the bundle unless a source file is newer. An argument names another
 * output directory.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLicenses } from '../core/licenses.mjs';

const bundler = await import('rolldown').catch((error) => {
  if (error.code === 'ERR_MODULE_NOT_FOUND') return null; // installed without development dependencies: the sources run as they are
  throw error;
});

if (bundler === null) {
  console.log('pi-ledger: no bundler here, commands run from their sources.');
} else {
  const directory = fileURLToPath(new URL('.', import.meta.url));
  const output = process.argv[2] ?? `${directory}dist`;
  const bundle = await bundler.rolldown({
    // Worker threads start from their own file (importers/threads/runner.ts).
    input: {
      main: `${directory}cli/main.ts`,
      'read-worker': `${directory}importers/threads/read-worker.ts`,
    },
    platform: 'node',
    // Everything else is bundled, the database driver in a separate file that is loaded on demand:
    // the image contains the bundle and no packages.
    external: [/^node:/],
    checks: { ineffectiveDynamicImport: false }, // a dynamic import still says what a command needs only when it runs
    plugins: [
      withWhatIsRequired(),
      withoutMailServices(),
      withoutSchemaCompilers(),
      withLicenses(),
    ],
  });
  await bundle.write({
    dir: output,
    format: 'esm',
    minify: true,
    cleanDir: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash:7].mjs',
  });
  await bundle.close();
  const { buildPage } = await import('../dashboards/web/build.mjs');
  await buildPage(join(output, 'web'));
}

/**
 * Sources load slow, rarely needed packages by `createRequire`, which the bundler does not see and
 * which finds nothing beside a bundle. A plain `require` is bundled, and runs when it is reached.
 */
function withWhatIsRequired() {
  const id = /[\\/]collector[\\/].*\.ts$/;
  const handler = (code) => {
    const bundled = code.replaceAll(/createRequire\(import\.meta\.url\)\(\s*'/g, "require('");
    if (bundled.includes('createRequire(import.meta.url)('))
      throw new Error('a createRequire() of another form: the bundle would lack what it requires');
    return bundled;
  };
  return {
    name: 'with-what-is-required',
    transform: { filter: { id, code: 'createRequire(import.meta.url)(' }, handler },
  };
}

/** Addresses of mail providers by their names: settings name a server, and never a `service`. */
function withoutMailServices() {
  const id = /[\\/]nodemailer[\\/]dist[\\/]\w+[\\/]well-known[\\/]services\.js$/;
  return {
    name: 'without-mail-services',
    load: { filter: { id }, handler: () => 'export const services = {};' },
  };
}

/** Fastify asks for these only where a server names no compilers (http/schema-controller.ts). */
function withoutSchemaCompilers() {
  const id = /[\\/]@fastify[\\/](?:ajv-compiler|fast-json-stringify-compiler)[\\/]index\.js$/;
  return {
    name: 'without-schema-compilers',
    load: { filter: { id }, handler: () => 'module.exports = undefined;' },
  };
}
