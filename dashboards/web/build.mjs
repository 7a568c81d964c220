/**
 * Bundles the page: `index.html`, `assets/` with a hash in each name, and `first-asks.mjs`, by which
 * the collector knows what a view asks first. `collector/build.mjs` calls it; alone it writes to
 * where the collector looks for it, `collector/dist/web/`.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'lightningcss';
import { rolldown } from 'rolldown';
import { withLicenses } from '../../core/licenses.mjs';

const source = fileURLToPath(new URL('.', import.meta.url));

/** `target`: a folder, which is written anew. */
export async function buildPage(target) {
  await rm(target, { recursive: true, force: true });
  await mkdir(join(target, 'assets'), { recursive: true });
  const script = await bundlePage(target);
  const style = await bundleStyles(target);
  await bundle('first-asks.ts', { dir: target, entryFileNames: '[name].mjs' });
  const template = await readFile(join(source, 'index.html'), 'utf8');
  const html = template.replace('page.js', script).replace('page.css', style);
  await writeFile(join(target, 'index.html'), html.replaceAll('\n', ''));
}

/** The entry's name. Views are files of their own, loaded when they are opened. */
async function bundlePage(target) {
  const output = await bundle(
    'main.tsx',
    {
      dir: join(target, 'assets'),
      entryFileNames: 'page-[hash].js',
      chunkFileNames: '[name]-[hash].js',
      // What the first view needs is one file, whatever of it other views share.
      codeSplitting: { groups: [{ name: 'page', test: /main\.tsx$/ }] },
    },
    [withLicenses()],
  );
  return output.find(({ isEntry }) => isEntry).fileName;
}

async function bundle(entry, output, plugins = []) {
  const build = await rolldown({
    input: join(source, entry),
    platform: 'browser',
    tsconfig: false, // the image is built without the one that this one extends
    transform: { jsx: { importSource: 'preact' } },
    plugins,
  });
  const written = await build.write({ format: 'esm', minify: true, ...output });
  await build.close();
  return written.output;
}

/** All styles, in the order of their names: tokens first. */
async function bundleStyles(target) {
  const files = (await readdir(join(source, 'styles'))).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(source, 'styles', file))));
  const { code } = transform({ filename: 'page.css', code: Buffer.concat(texts), minify: true });
  const name = `page-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.css`;
  await writeFile(join(target, 'assets', name), code);
  return name;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildPage(fileURLToPath(new URL('../../collector/dist/web', import.meta.url)));
