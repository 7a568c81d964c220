/**
 * How long each question of the API keeps the collector's thread from others at a stretch, on a
 * store with very many names. Before each one a session changes, so that no answer is remembered.
 */
import { Buffer } from 'node:buffer';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answers } from '@pi-ledger/contract/answers';
import { readCollectorFile } from '../../collector/process/collector-file.ts';
import { exampleEvent } from '../../test/collector/support/events.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { type CollectorProcess, startCollector } from './collector-process.ts';
import { probe, type Stretch } from './stretches/probed.ts';
import { type Ids, type Question, questionsIn } from './stretches/questions.ts';
import { fillGroups, fillNames, withdrawnSessions } from './stretches/store.ts';
import { withTemporaryDirectory } from './temporary-directory.ts';

const msMax = 50;
/** The best of so many is told: the others have what the machine was busy with. */
const times = 3;

export const stretches: Benchmark = {
  name: 'stretches',
  budget: `no question keeps the thread from others for more than ${msMax} ms at a stretch`,
  async run() {
    const names = await withTemporaryDirectory(ofNames);
    const groups = await withTemporaryDirectory(ofGroups);
    return [...names, ...groups];
  },
};

async function ofNames(home: string): Promise<readonly Row[]> {
  await fillNames(home);
  return withCollector({ home }, async (asked) => {
    const questions = questionsIn(await asked.text('/openapi.json'), await idsIn(asked));
    return [...rowsOf(await measure(asked, questions), ''), await ofWithdrawals(asked)];
  });
}

/** Of one session after the other, each until its sums are folded anew. */
async function ofWithdrawals(asked: Asked): Promise<Row> {
  const taken: Stretch[] = [];
  for (const session of withdrawnSessions.slice(0, times)) {
    const work = () => withdraw(asked, session);
    taken.push(await probe.during(asked.collector.pid, asked.home, work));
  }
  const least = (name: keyof Stretch) => Math.min(...taken.map((each) => each[name]));
  return {
    what: 'a withdrawal, until the sums are folded anew',
    ...{ measured: least('cpuMs'), unit: 'ms', budget: { max: msMax } },
    note: `by the clock ${least('ms').toFixed(0)} ms`,
  };
}

async function withdraw({ collector, home, text }: Asked, session: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${readCollectorFile(home)?.token}`,
    'content-type': 'application/json',
  };
  const { status } = await fetch(`${collector.url}/v1/withdrawals`, {
    ...{ method: 'POST', headers },
    body: JSON.stringify({ session, reason: 'a benchmark' }),
  });
  if (status !== 200) throw new Error(`the withdrawal was answered with ${status}`);
  const find = `/v1/usage?by=session&session=${session}`;
  while (JSON.parse(await text(find)).rows.length > 0) await sleep(50);
}

async function ofGroups(home: string): Promise<readonly Row[]> {
  const token = await fillGroups(home);
  const environment = { PI_LEDGER_AUTH: 'required' };
  return withCollector({ home, token, environment }, async (asked) => {
    const queries = ['by=project', 'by=project,model', 'by=model', 'by=model&format=csv'];
    const questions = queries.map((query) => ({
      route: '/v1/usage',
      target: `/v1/usage?${query}&limit=1000`,
    }));
    return rowsOf(await measure(asked, questions), ' in groups of three users');
  });
}

interface Asked {
  readonly collector: CollectorProcess;
  readonly home: string;
  /** Rejects unless the answer is there, or there is nothing to be found. */
  text(target: string): Promise<string>;
  /** A session changes. */
  change(): Promise<void>;
}

interface Opened {
  readonly home: string;
  /** Of who asks; by default it may ask everything. */
  readonly token?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

async function withCollector<Result>(
  { home, token, environment = {} }: Opened,
  use: (asked: Asked) => Promise<Result>,
): Promise<Result> {
  const { nodeOptions } = probe;
  const collector = await startCollector({ home, nodeOptions, environment });
  const shown = token ?? readCollectorFile(home)?.token;
  const headers = { authorization: `Bearer ${shown}` };
  let changes = 0;
  try {
    return await use({
      ...{ collector, home },
      async text(target) {
        const answer = await fetch(`${collector.url}${target}`, { headers });
        const text = await answer.text();
        if (answer.status !== 200 && answer.status !== 404)
          throw new Error(`${target}: ${answer.status} ${text}`);
        return text;
      },
      async change() {
        if (token !== undefined) return;
        changes += 1;
        const event = exampleEvent({
          ...{ number: changes, subject: 'changing', source: '/producers/changing' },
          data: { entryId: String(changes) },
        });
        const type = 'application/cloudevents-batch+json';
        const body = Buffer.from(JSON.stringify([event]));
        const sent = { method: 'POST', headers: { ...headers, 'content-type': type }, body };
        const { status } = await fetch(`${collector.url}/v1/events`, sent);
        if (status !== 200) throw new Error(`an event was answered with ${status}`);
        // An answer from the views waits for them.
        await this.text('/v1/usage?by=host');
      },
    });
  } finally {
    await collector.stop();
  }
}

interface Measured extends Question {
  readonly stretch: Stretch;
  readonly chars: number;
}

async function measure(asked: Asked, questions: readonly Question[]): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const question of questions) measured.push(await measureOne(asked, question));
  return measured;
}

async function measureOne(asked: Asked, question: Question): Promise<Measured> {
  const { collector, home } = asked;
  const taken: Stretch[] = [];
  let chars = 0;
  for (let time = 0; time < times; time += 1) {
    await asked.change();
    const ask = async () => {
      chars = (await asked.text(question.target)).length;
    };
    taken.push(await probe.during(collector.pid, home, ask));
  }
  const least = (name: keyof Stretch) => Math.min(...taken.map((each) => each[name]));
  return { ...question, chars, stretch: { ms: least('ms'), cpuMs: least('cpuMs') } };
}

/** Of the newest session, of one with a compaction, and of that compaction. */
async function idsIn(asked: Asked): Promise<Ids> {
  const read = async (target: string) => JSON.parse(await asked.text(target));
  const newest: Answers['GET /v1/sessions'] = await read('/v1/sessions?limit=1');
  const compacted: Answers['GET /v1/compactions'] = await read('/v1/compactions?limit=1');
  const sessions = [
    ...newest.rows.map(({ id }) => id),
    ...compacted.rows.map((row) => row.session),
  ];
  return {
    '/v1/compactions/{id}': compacted.rows.map(({ id }) => id),
    '/v1/context/{session}': sessions,
    '/v1/context/{session}/series': sessions,
    '/v1/sessions/{id}': sessions,
    '/v1/sessions/{id}/timeline': sessions,
  };
}

/** A row for each route, which has its worst question. */
function rowsOf(measured: readonly Measured[], where: string): readonly Row[] {
  return [...Map.groupBy(measured, ({ route }) => route)].map(([route, all]) => {
    const [worst = all[0], ...others] = all.toSorted((a, b) => b.stretch.cpuMs - a.stretch.cpuMs);
    if (worst === undefined) throw new Error(`${route} was not asked`);
    const { target, stretch, chars } = worst;
    const over = others.filter(({ stretch: { cpuMs } }) => cpuMs > msMax).length;
    return {
      what: `${route}${where}`,
      ...{ measured: stretch.cpuMs, unit: 'ms' as const, budget: { max: msMax } },
      note:
        `${target} of ${all.length}, ${(chars / 1_000).toFixed(0)} kB; ` +
        `by the clock ${stretch.ms.toFixed(0)} ms` +
        (over === 0 ? '' : `; ${over} others above`),
    };
  });
}
