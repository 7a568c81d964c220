/** Commands that ask a collector with TLS. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLines } from '../../support/command-lines.ts';

const commandLine = commandLines();
const tls = { certFile: dataFile('cert.pem'), keyFile: dataFile('key.pem') };

function dataFile(name: string): string {
  return join(import.meta.dirname, '..', '..', 'data', 'tls', name);
}

describe('a collector with TLS', () => {
  it('is asked by commands of its machine, which trust exactly its certificate', async () => {
    const { run, start, env } = commandLine();
    await run('token', 'create', '--user', 'ada', '--scope', 'read');
    const { url } = await start({ auth: 'required', tls });
    expect(url).toMatch(/^https:/);
    expect((await run('token', 'list')).printed).toContain('ada');
    await expect(fetch(url)).rejects.toThrow();
    await expect(fetch(url.replace('https', 'http'))).rejects.toThrow();
    const { readCollectorFile, writeCollectorFile } = await import(
      '../../../../collector/process/collector-file.ts'
    );
    const home = env.PI_LEDGER_HOME ?? '';
    const file = readCollectorFile(home);
    if (file === null) throw new Error('there is no file');
    writeCollectorFile(home, { ...file, certFile: dataFile('other-cert.pem') });
    // No trusted collector answers, so the command opens the store itself, which is locked: it can
    // only read.
    expect((await run('token', 'create', '--user', 'bob', '--scope', 'read')).code).toBe(1);
  });

  it.each([
    [
      { certFile: '/nowhere/cert.pem', keyFile: tls.keyFile },
      '/nowhere/cert.pem cannot be read: there is no such file',
    ],
    [{ certFile: tls.certFile, keyFile: tls.certFile }, 'are not a PEM certificate and its key'],
    [
      { certFile: dataFile('other-cert.pem'), keyFile: tls.keyFile },
      'are not a PEM certificate and its key',
    ],
  ])('does not start with %j', async (files, said) => {
    const { start } = commandLine();
    await expect(start({ tls: files })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(said),
    });
  });
});
