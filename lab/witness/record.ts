/** Records what a tree answers about a data set: every command, GET, metric and export. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeAndAsk } from './afterwards.ts';
import { type Asked, asText, lineOf, questions, readHelp } from './commands.ts';
import type { DataSet } from './data.ts';
import { plain } from './plain.ts';
import { addresses, type Description } from './routes.ts';
import { findSamples } from './samples.ts';
import { freePort, run, type Subject, startCollectorOf } from './tree.ts';
import { type Folder, folderAt } from './written.ts';

/** Where a data set's ledger is. */
export type MakeStore = (home: string, name: string) => string;

/** Processes and requests at the same time. */
const atOnce = 2;

export async function record(
  tree: string,
  data: DataSet,
  makeStore: MakeStore,
  directory: string,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'witness-'));
  const subject = { tree, home, store: makeStore(home, data.name), port: await freePort() };
  const folder = folderAt(join(directory, data.name));
  try {
    await data.fill(subject);
    if (data.name.startsWith('corpus/')) await askBriefly(subject, data, folder);
    else {
      await askEverything(subject, data, folder);
      if (data.name === 'demo') await askAfterChanges(subject, data, folder);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function askEverything(subject: Subject, data: DataSet, folder: Folder): Promise<void> {
  const collector = await startCollectorOf(subject);
  try {
    const get = async (address: string) => fetch(`${collector.url}${address}`);
    const json = async (address: string) => (await get(address)).json();
    const storeId = ((await json('/v1/health')) as { storeId: string }).storeId;
    const write = (kind: string, question: string, answer: string) =>
      folder.write(kind, question, plain(answer, subject, storeId));

    const samples = await findSamples(
      (address) => json(address) as ReturnType<Parameters<typeof findSamples>[0]>,
      data.since,
      data.until,
    );
    const help = await readHelp(subject);
    for (const [words, text] of help) write('help', `pi-ledger ${words} --help`, text);
    await each([...questions(help, samples), ...ledgerQuestions(data)], async (asked) => {
      write(
        'commands',
        plain(lineOf(asked), subject),
        asText(await run(subject, asked.argv, asked)),
      );
    });
    write('commands', 'pi-ledger export --parquet', await parquet(subject));
    const description = (await json('/openapi.json')) as Description;
    await each(['/openapi.json', ...addresses(description, samples)], async (address) => {
      write('GET', `GET ${address}`, await answerText(await get(address)));
    });
  } finally {
    await collector.stop();
  }
}

async function askAfterChanges(subject: Subject, data: DataSet, folder: Folder): Promise<void> {
  const { stdout } = await run(subject, ['sessions', '--json', '--limit', '5']);
  const [{ id }] = (JSON.parse(stdout) as { rows: [{ id: string }] }).rows;
  await changeAndAsk(subject, { session: id, sealBefore: data.since }, (kind, question, answer) =>
    folder.write(kind, plain(question, subject), plain(answer, subject)),
  );
}

/** Asks a small ledger without a collector: then one process at a time has the store. */
async function askBriefly(subject: Subject, data: DataSet, folder: Folder): Promise<void> {
  const brief: readonly Asked[] = [
    { argv: ['report'], columns: 120 },
    { argv: ['report', '--json'] },
    { argv: ['sessions', '--tree'], columns: 120 },
    ...ledgerQuestions(data),
  ];
  for (const asked of brief) {
    const answer = asText(await run(subject, asked.argv, asked));
    folder.write('commands', lineOf(asked), plain(answer, subject));
  }
}

/** What has to do with the whole ledger, and with the files that it came from. */
function ledgerQuestions({ directories, since, until }: DataSet): readonly Asked[] {
  const period = ['--since', since, '--until', until];
  const reconcile = (...options: readonly string[]) => ({
    argv: ['reconcile', ...directories, ...options],
    line: ['reconcile', ...options].join(' '),
  });
  return [
    { ...reconcile(), columns: 80 },
    { ...reconcile('--all'), columns: 120 },
    reconcile('--json'),
    { argv: ['export', '-'] },
    { argv: ['export', '-', ...period] },
    { argv: ['export', '-', '--focus'] },
    { argv: ['export', '-', '--focus', ...period] },
    { argv: ['export-openmetrics', '--since', '2026-01-01'] },
    { argv: ['export-openmetrics', ...period] },
  ];
}

async function parquet(subject: Subject): Promise<string> {
  const path = join(subject.home, 'usage.parquet');
  const printed = await run(subject, ['export', path, '--parquet']);
  return `${asText(printed)}\n${readFileSync(path).toString('base64')}`;
}

async function answerText(response: Response): Promise<string> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const body = type.includes('application/json') ? indented(text) : text;
  return `${response.status} ${type}\n\n${body}`;
}

function indented(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 1);
}

async function each<Item>(
  items: readonly Item[],
  ask: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const askInTurn = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await ask(item);
  };
  await Promise.all(Array.from({ length: atOnce }, askInTurn));
}
