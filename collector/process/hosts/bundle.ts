import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What hosts load of the extension in a folder. `stale`: a bundle older than its sources. `none`:
 * there is nothing to load.
 */
export type BundleState = 'fresh' | 'stale' | 'sources' | 'none';

/** Contract: never throws. Compares file times; a published package has no sources to compare. */
export function bundleStateIn(folder: string): BundleState {
  const bundledMs = changedAtMs(join(folder, 'dist', 'index.cjs'));
  const hasSources = existsSync(join(folder, 'index.ts'));
  if (bundledMs === null) return hasSources ? 'sources' : 'none';
  return hasSources && sourcesIn(folder).some((path) => (changedAtMs(path) ?? 0) > bundledMs)
    ? 'stale'
    : 'fresh';
}

/** The extension's own, and what is bundled with it. */
function sourcesIn(folder: string): string[] {
  const checkout = join(realpathSync(folder), '..');
  const beside = [join(checkout, 'core'), join(checkout, 'contract', 'settings')];
  return [folder, ...beside.filter((each) => existsSync(each))].flatMap(typeScriptIn);
}

function typeScriptIn(folder: string): string[] {
  const tops = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => name !== 'node_modules' && name !== 'dist',
  );
  const paths = tops.flatMap((top) => {
    const path = join(folder, top.name);
    return top.isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
      : [path];
  });
  return paths.filter((path) => path.endsWith('.ts'));
}

function changedAtMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
