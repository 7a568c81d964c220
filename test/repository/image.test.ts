/**
 * The Dockerfile: pinned, without root at the end, and with everything a collector needs in its
 * last stage. The image is not built here: its steps are repeated by hand, and its health check
 * runs as written.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { writeSession } from '../collector/importers/support/files.ts';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { append, newSession } from '../extension/support/fake-session.ts';
import { freePort } from '../hosts/support/machine/ports.ts';

const runFile = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const dockerfile = read('Dockerfile');

describe('the Dockerfile', () => {
  it('pins what it is built from, ends as a user, and copies no sources', () => {
    const stages = dockerfile.split(/^FROM /m).slice(1);
    for (const stage of stages)
      expect(stage).toMatch(/^[a-z]+:\d+\.\d+\.\d+-[a-z]+-slim( AS [a-z]+)?\n/);
    const last = stages.at(-1) ?? '';
    expect([...last.matchAll(/^USER (.*)$/gm)].map(([, user]) => user)).toEqual(['node']);
    expect(
      [...last.matchAll(/^COPY (.*)$/gm)].every(([, what]) => what?.startsWith('--from=build ')),
    ).toBe(true);
  });

  it('takes into the build what it copies, and neither secrets nor what was built here', () => {
    const [admitted, refused] = [/^!(.*)$/gm, /^([^!#*\n].*|\*\*.*)$/gm].map((line) =>
      [...read('.dockerignore').matchAll(line)].map(([, name]) => name),
    );
    expect(new Set(copiedFromTheCheckout())).toEqual(new Set(admitted));
    expect(refused).toEqual(expect.arrayContaining(['**/node_modules', '**/dist', '**/.env']));
  });

  it('ends with an image that runs alone: no packages, no sources, no build tools', async () => {
    const image = join(directory, 'image', 'collector');
    const built = join(directory, 'build');
    for (const name of copiedFromTheCheckout())
      cpSync(join(root, name), join(built, name), { recursive: true, filter: isSource });
    symlinkSync(join(root, 'node_modules'), join(built, 'node_modules'));
    await runFile(process.execPath, [join(built, 'collector/build.mjs'), join(image, 'dist')]);
    cpSync(join(root, 'collector/bin'), join(image, 'bin'), { recursive: true });
    const home = join(directory, 'home');
    const port = await freePort();
    const env = {
      PI_LEDGER_HOME: home,
      HOME: home,
      PI_LEDGER_ADDRESS: '0.0.0.0',
      PI_LEDGER_PORT: String(port),
      PI_LEDGER_IMPORT: 'false',
    };
    const command = join(image, 'bin/pi-ledger.mjs');
    const options = { env, cwd: '/' };
    const { stdout } = await runFile(
      process.execPath,
      [command, 'token', 'create', '--user', 'ada', '--scope', 'read'],
      options,
    );
    expect(stdout).toMatch(/^pil_/);
    const collector = spawn(process.execPath, [command, 'start'], {
      ...options,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    closing.push(() => collector.kill('SIGKILL'));
    const ended = once(collector, 'exit');
    await once(collector.stdout, 'data');
    expect(await healthCheck(port)).toBe(0);
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    const [script = ''] = /\/assets\/[^"]+\.js/.exec(page) ?? [];
    expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).toBe(200);
    collector.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    // So is the redaction of texts, in worker threads as well: the file is long enough for them.
    writeFileSync(join(home, 'config.json'), '{ "auditContent": true }');
    writeLongSession(join(directory, 'sessions'), `keep ghp_${'a1B2'.repeat(9)}`);
    const imported = await runFile(
      process.execPath,
      [command, 'import', '--pi', join(directory, 'sessions'), '--json'],
      options,
    );
    expect(JSON.parse(imported.stdout)).toMatchObject({ files: { read: 1 }, issueCount: 0 });
    const row = await runFile(
      process.execPath,
      [command, 'compactions', 'show', 'c1', '--json'],
      options,
    );
    expect(JSON.parse(row.stdout)).toMatchObject({ summary: { text: 'keep [redacted]' } });
    // The database driver is bundled, too: it tries an address where nobody listens.
    const PI_LEDGER_STORE = `mongodb://127.0.0.1:${port}/?directConnection=true`;
    const asking = runFile(process.execPath, [command, 'migrate'], {
      cwd: '/',
      env: { ...env, PI_LEDGER_STORE },
    });
    await expect(asking).rejects.toThrow('The database server does not answer');
  });

  it.each([
    ['well when it is ready', { ready: true, role: 'leader' }, 0],
    ['well when it stands by', { ready: false, role: 'standby' }, 0],
    ['not well when it is not ready', { ready: false, role: 'leader' }, 1],
    ['not well when something else answers', 'hello', 1],
  ])('finds a collector %s', async (_, answer, code) => {
    expect(await healthCheck(await answering(answer))).toBe(code);
  });

  it('finds a collector not well that does not answer', async () => {
    const port = await answering({});
    closing.pop()?.();
    expect(await healthCheck(port)).toBe(1);
  });
});

const directory = temporaryDirectory();
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

/** Files and folders. */
function copiedFromTheCheckout(): readonly string[] {
  return [...dockerfile.matchAll(/^COPY (?!--from)(.*)$/gm)].flatMap(([, what = '']) =>
    what.split(' ').slice(0, -1),
  );
}

/** Neither packages nor what was built: .dockerignore leaves them out. */
function isSource(path: string): boolean {
  return !/[\\/](node_modules|dist)$/.test(path);
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** More than one thread reads, and a compaction, `c1`. */
function writeLongSession(sessions: string, summary: string): void {
  const startMs = Date.parse('2026-11-20T09:00:00.000Z');
  const session = newSession('s1', startMs);
  for (const id of ['x1', 'x2', 'x3'])
    append(session, id, startMs, { type: 'custom', data: 'x'.repeat(6 * 2 ** 20) });
  append(session, 'c1', startMs + 1_000, {
    type: 'compaction',
    summary,
    firstKeptEntryId: 'x1',
    tokensBefore: 900,
  });
  writeSession(sessions, session);
}

/** The port of a server that gives this answer to everything. */
async function answering(answer: unknown): Promise<number> {
  const server = createServer((_, reply) =>
    reply.end(typeof answer === 'string' ? answer : JSON.stringify(answer)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Runs the image's health check as Docker does, and returns its exit code. */
async function healthCheck(port: number): Promise<number> {
  const [, command = '[]'] = /^HEALTHCHECK [^[\n]*CMD (.*)$/m.exec(dockerfile) ?? [];
  const [, ...argv] = JSON.parse(command) as string[];
  try {
    await runFile(process.execPath, argv, { env: { PI_LEDGER_PORT: String(port) } });
    return 0;
  } catch (error) {
    return (error as { code: number }).code;
  }
}
