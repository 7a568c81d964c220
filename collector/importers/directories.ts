import { isAbsolute, join, normalize } from 'node:path';

/**
 * Of these, those that are set, absolute, each once; `~` is the home directory, as hosts have it.
 */
export function directoriesOf(
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
