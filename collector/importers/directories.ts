import { isAbsolute, join, normalize } from 'node:path';

/** The absolute ones of these paths, each once. As in the hosts, `~` is the home directory. */
export function hostDirectories(
  homeDirectory: string,
  named: readonly (string | undefined)[],
): readonly string[] {
  const absolute = named.flatMap((path) => {
    if (path === undefined || path === '') return [];
    const expanded =
      path === '~'
        ? homeDirectory
        : path.startsWith('~/')
          ? join(homeDirectory, path.slice(2))
          : path;
    return isAbsolute(expanded) ? [normalize(expanded)] : [];
  });
  return [...new Set(absolute)];
}
