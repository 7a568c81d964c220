/**
 * Packs both packages once for the lane, as a release does. Tests find the tarballs by
 * `inject('tarballs')`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { repositoryRoot } from '../../hosts/support/ledger/ledger.ts';
import { npmEnvironment } from './npm.ts';

declare module 'vitest' {
  interface ProvidedContext {
    tarballs: Tarballs;
  }
}

export interface Tarballs {
  readonly collector: Tarball;
  readonly extension: Tarball;
}

export interface Tarball {
  readonly path: string;
  /** The folder with the unpacked content. */
  readonly unpacked: string;
  readonly manifest: Manifest;
  /** Size of the tarball, and of its content. */
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly files: readonly string[];
  /** In a registry's form, base64 of SHA-512. */
  readonly integrity: string;
}

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly name: string;
  readonly version: string;
}

export default function packBoth(project: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'pi-ledger-packages-'));
  project.provide('tarballs', packInto(directory));
  return () => rmSync(directory, { recursive: true, force: true });
}

export function packInto(directory: string): Tarballs {
  return { collector: pack('collector', directory), extension: pack('extension', directory) };
}

function pack(workspace: string, directory: string): Tarball {
  const { path, packed } = packTarball(workspace, directory);
  const unpacked = join(directory, workspace);
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', path, '-C', unpacked, '--strip-components=1']);
  return {
    path,
    unpacked,
    manifest: JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')),
    packedBytes: packed.size,
    unpackedBytes: packed.unpackedSize,
    files: packed.files.map(({ path }) => path).sort(),
    integrity: packed.integrity,
  };
}

/** `npm pack`, which builds the bundle first. */
export function packTarball(workspace: string, directory: string) {
  const args = [
    'pack',
    '--workspace',
    workspace,
    '--pack-destination',
    directory,
    '--json',
    '--loglevel=error',
  ];
  const answer: unknown = JSON.parse(
    execFileSync('npm', args, { cwd: repositoryRoot, env: npmEnvironment(), encoding: 'utf8' }),
  );
  const [packed] = Object.values(answer as Record<string, Packed>);
  if (packed === undefined) throw new Error(`npm packed nothing of ${workspace}`);
  return { path: join(directory, packed.filename), packed };
}

/** One entry of `npm pack --json`: in a list, or since npm 12 by name. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly integrity: string;
  readonly files: readonly { readonly path: string }[];
}
