/** Sessions of omp's swarms, in projects that other sessions name: found by default. */
import { cpSync, mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/directory.ts';
import { commandLine, faultsIn } from '../support/command-line.ts';
import { corpusDirectory } from '../support/corpus.ts';
import { answer, header } from '../support/left-out.ts';

const root = temporaryDirectory();
const package_ = 'packages/oh-my-pi-swarm-extension-13.17.0/cli/home/code/webshop';
const recorded = join(corpusDirectory, package_, '.swarm_shopcheck');
const recordedAnswers = 12;

/** A home with one session of omp in the project, and what reads its default directories. */
function given(sessionsIn = ['.omp', 'agent', 'sessions']) {
  const home = mkdtempSync(join(root, 'home-'));
  const project = join(home, 'code', 'webshop');
  mkdirSync(project, { recursive: true });
  const sessions = join(home, ...sessionsIn, '-code-webshop');
  mkdirSync(sessions, { recursive: true });
  const lines = [header({ cwd: project }), answer('a1', 1)];
  writeFileSync(join(sessions, '2026-03-01T09-00-00-000Z_s1.jsonl'), `${lines.join('\n')}\n`);
  const ledger = commandLine(root, {}, home, new Date('2026-11-29T12:00:00Z'));
  return { home, project, ledger };
}

async function outcome({ ledger }: Pick<ReturnType<typeof given>, 'ledger'>) {
  const imported = await ledger.run('import');
  const { total } = JSON.parse((await ledger.run('report', '--json')).printed);
  const { code, answer: found } = await ledger.reconcile();
  return {
    codes: [imported.code, code],
    complained: imported.complained,
    records: total.records,
    files: found.sessions.flatMap(({ files }) => files).length,
    faults: faultsIn(found),
  };
}

const right = { codes: [0, 0], complained: '', faults: [] };

it('are found by default, by import and reconcile', async () => {
  const { project, ledger } = given();
  cpSync(recorded, join(project, '.swarm_shopcheck'), { recursive: true });
  expect(await outcome({ ledger })).toEqual({ ...right, records: 1 + recordedAnswers, files: 3 });
});

it('are not looked for in projects that nobody but pi names', async () => {
  const { project, ledger } = given(['.pi', 'agent', 'sessions']);
  cpSync(recorded, join(project, '.swarm_shopcheck'), { recursive: true });
  expect(await outcome({ ledger })).toEqual({ ...right, records: 1, files: 1 });
});

it('are not looked for behind links', async () => {
  const { home, project, ledger } = given();
  const elsewhere = join(home, 'elsewhere');
  cpSync(recorded, elsewhere, { recursive: true });
  symlinkSync(elsewhere, join(project, '.swarm_whole'));
  mkdirSync(join(project, '.swarm_context'));
  symlinkSync(join(elsewhere, 'context'), join(project, '.swarm_context', 'context'));
  const context = join(project, '.swarm_files', 'context');
  mkdirSync(context, { recursive: true });
  const file = 'swarm-shopcheck-scout-0.jsonl';
  symlinkSync(join(elsewhere, 'context', file), join(context, file));
  symlinkSync(join(elsewhere, 'context'), join(context, 'more'));
  expect(await outcome({ ledger })).toEqual({ ...right, records: 1, files: 1 });
});

it('are no error where a project is gone, or something else has such a name', async () => {
  const { home, project, ledger } = given();
  mkdirSync(join(project, '.swarm_new'));
  mkdirSync(join(project, '.swarm_odd'));
  writeFileSync(join(project, '.swarm_odd', 'context'), 'a file');
  writeFileSync(join(project, '.swarm_file'), 'a file');
  expect(await outcome({ ledger })).toEqual({ ...right, records: 1, files: 1 });
  renameSync(project, join(home, 'gone'));
  expect(await outcome({ ledger })).toEqual({ ...right, records: 1, files: 1 });
});
