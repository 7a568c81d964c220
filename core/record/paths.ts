/**
 * Makes paths safe to send: relative to the session's directory, with `/`. Paths outside become
 * `<outside>/<8 hex digits of the path's SHA-256>/<base name>`: the same file is recognisable,
 * without revealing the machine's directories.
 *
 * Reads no disk and is independent of the platform: a Windows session gives the same paths wherever
 * its file is imported.
 */
import { type PlatformPath, posix, win32 } from 'node:path';
import { sha256Hex } from './identity/sha256.ts';

const pathCharsMax = 4096;
const pathsMax = 1000;
/** Total for one event, which must stay far below the contract's 256 KiB. */
const pathCharsTotalMax = 64 * 1024;

/** Returns null if it names no file: empty, too long, a URL. */
export function projectPath(cwd: string | null, path: string): string | null {
  if (path.length <= pathCharsMax && plainPath.test(path)) return path;
  const named = path.replace(/^@/, '').replace(selector, '');
  if (named === '' || named.length > pathCharsMax || url.test(named)) return null;
  const directory = cwd !== null && (cwd.startsWith('/') || isWindows(cwd)) ? cwd : null;
  const flavour = isWindows(directory ?? named) ? win32 : posix;
  if (named.startsWith('~')) return outside(flavour, named);
  const base = directory ?? (flavour === win32 ? 'C:\\' : '/');
  const absolute = flavour.resolve(base, named);
  const inside = pathInside(flavour, base, absolute);
  return inside === null || (directory === null && flavour.isAbsolute(named))
    ? outside(flavour, absolute)
    : inside;
}

/** Each path once, in order of appearance, up to the limits of an event. */
export function projectPaths(cwd: string | null, paths: readonly string[]): string[] {
  const found = new Set<string>();
  let chars = 0;
  for (const path of paths) {
    const projected = projectPath(cwd, path);
    if (projected === null || found.has(projected)) continue;
    chars += projected.length;
    if (found.size === pathsMax || chars > pathCharsTotalMax) break;
    found.add(projected);
  }
  return [...found];
}

/**
 * omp's read tool accepts `notes.txt:10-20` and `notes.txt:raw`; pi and omp accept `@notes.txt`.
 * All name the file.
 */
const selector = /(?::(?:raw|conflicts|-?\d+(?:[-+]\d*)?(?:,\d+(?:[-+]\d*)?)*))+$/;
const url = /^[a-z][a-z0-9+.-]+:\/\//i;

/** The usual case: a path below the session's directory, with nothing to resolve. */
const plainPath = /^[a-z0-9_][\w-]*(?:\.[\w-]+)*(?:\/[a-z0-9_][\w-]*(?:\.[\w-]+)*)*$/i;

function isWindows(path: string): boolean {
  return /^[a-z]:[\\/]|^\\\\/i.test(path);
}

function pathInside(flavour: PlatformPath, base: string, absolute: string): string | null {
  const relative = flavour.relative(base, absolute).replaceAll(flavour.sep, '/');
  if (relative === '') return '.';
  return relative === '..' || relative.startsWith('../') || flavour.isAbsolute(relative)
    ? null
    : relative;
}

function outside(flavour: PlatformPath, absolute: string): string {
  const hash = sha256Hex(absolute).slice(0, 8);
  return `<outside>/${hash}/${flavour.basename(absolute).slice(0, 255)}`;
}
