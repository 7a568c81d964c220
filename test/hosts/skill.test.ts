/**
 * The skill in real hosts: an installed extension brings it, the model is told of it and can read
 * it, and so is one that gets the repository.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installExtension } from './support/host/host-install.ts';
import { hosts } from './support/host/hosts.ts';
import { ensureHosts } from './support/host/install.ts';
import { noticesOnStderr } from './support/host/notices.ts';
import { runPrint } from './support/host/run-host.ts';
import { createSandbox, type Sandbox } from './support/host/sandbox.ts';
import { repositoryRoot } from './support/ledger/ledger.ts';
import { type FakeLlm, startFakeLlm } from './support/llm/fake-llm.ts';

const skill = readFileSync(join(repositoryRoot, 'extension/skills/pi-ledger/SKILL.md'), 'utf8');
const description = /^description: (.+)$/m.exec(skill)?.[1] ?? '';

beforeAll(() => ensureHosts());

describe.each(hosts)('$name', (host) => {
  let llm: FakeLlm;
  let sandbox: Sandbox;

  beforeEach(async () => {
    llm = await startFakeLlm();
    sandbox = createSandbox({ host, llm });
  });

  afterEach(async () => {
    await sandbox.dispose();
    await llm.close();
  });

  test.each(['extension', '.'])('the model learns of the skill in %s, once', async (folder) => {
    const path = join(repositoryRoot, folder);
    expect(await installExtension(sandbox, path)).toMatchObject({ exitCode: 0 });
    const run = await runPrint(sandbox, { prompt: 'SCN:simple', skills: true });
    expect({ ...run, notices: noticesOnStderr(run) }).toMatchObject({ exitCode: 0, notices: [] });
    const [request] = llm.requests;
    const told = JSON.stringify(request?.body);
    expect(told.split(JSON.stringify(description).slice(1, -1))).toHaveLength(2);
  });
});
