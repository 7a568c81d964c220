import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measurePeers } from '../../lab/bench/import/peers.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';

const root = temporaryDirectory();

/** An installed tool whose program is `script`. */
function install(name: string, program: string, script: string): void {
  const modules = join(root, 'node_modules');
  const manifest = join(modules, name, 'package.json');
  mkdirSync(dirname(manifest), { recursive: true });
  writeFileSync(manifest, JSON.stringify({ name, version: '1.0.0' }));
  mkdirSync(join(modules, '.bin'), { recursive: true });
  const path = join(modules, '.bin', program);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

describe.skipIf(process.platform !== 'linux')('the benchmark of other tools', () => {
  it('skips one that does not start, says why, and goes on with the next', async () => {
    install('ccusage', 'ccusage', 'echo "needs another glibc" >&2; exit 127');
    install('tokscale', 'tokscale', 'echo "no JSON at all"');
    const rows = await measurePeers(root, root, join(root, 'sessions'), 1e6);
    expect(rows).toMatchObject([
      { what: 'ccusage pi 1.0.0', measured: null, note: expect.stringMatching(/^skipped: ./) },
      { what: 'tokscale 1.0.0', measured: null, note: expect.stringMatching(/^skipped: ./) },
    ]);
  });
});
