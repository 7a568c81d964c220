import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The bundle that hosts load must be made of today's sources. */
export default function buildExtension(): void {
  execFileSync(
    process.execPath,
    [fileURLToPath(new URL('../../../../extension/build.mjs', import.meta.url))],
    { stdio: 'inherit' },
  );
}
