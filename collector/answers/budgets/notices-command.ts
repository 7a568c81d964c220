/** `pi-ledger budgets deliveries|test-notices`: what was sent, and whether notices arrive. */
import { randomUUID } from 'node:crypto';
import type { BudgetDelivery } from '@pi-ledger/contract/answers';
import type { Command } from 'commander';
import { withLedger } from '../../cli/client/ledger-client.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../../cli/command.ts';
import { printAnswer, table } from '../../cli/output/answer.ts';
import type { Column } from '../../cli/output/table.ts';
import { version } from '../../cli/version.ts';
import type { Attempt } from '../../process/notices/target.ts';

interface Options {
  readonly wide?: true;
  readonly json?: true;
}

export const noticeExamples: CliCommand['examples'] = {
  'budgets deliveries': [['pi-ledger budgets deliveries', 'what arrived, and what waits']],
  'budgets test-notices': [['pi-ledger budgets test-notices', 'a message to each place']],
};

export function addNoticeCommands(
  budgets: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  budgets
    .command('deliveries')
    .description('list the notices that were sent: what arrived, and what waits')
    .action(async (_options: object, command: { optsWithGlobals(): Options }) => {
      exit(await deliveries(command.optsWithGlobals(), terminal));
    });
  budgets
    .command('test-notices')
    .description('send a test message to every webhook, and by e-mail, as `config.json` says')
    .action(async (_options: object, command: { optsWithGlobals(): Options }) => {
      exit(await test(command.optsWithGlobals(), terminal));
    });
}

async function deliveries({ wide, json }: Options, terminal: Terminal): Promise<ExitCode> {
  const answer = await withLedger(terminal, (client) => client.get('/v1/budgets/deliveries'));
  const { rows } = answer;
  if (json) terminal.printJson(answer);
  else if (rows.length === 0) terminal.print('No notice of a budget was sent so far.');
  else printAnswer(terminal, { body: [table({ columns, rows })], wide });
  return rows.some(({ status }) => status === 'refused' || status === 'given up') ? 1 : 0;
}

const columns: readonly Column<BudgetDelivery>[] = [
  { title: 'due', align: 'left', dropOrder: 0, cell: ({ since }) => shortTime(since) },
  { title: 'budget', align: 'left', dropOrder: 0, cell: ({ budget }) => budget },
  { title: 'state', align: 'left', dropOrder: 0, cell: ({ state }) => state },
  { title: 'notice', align: 'left', dropOrder: 0, cell: outcome },
  { title: 'attempts', align: 'right', dropOrder: 2, cell: ({ attempts }) => String(attempts) },
  { title: 'answer', align: 'left', dropOrder: 1, cell: ({ detail }) => detail ?? '–' },
  { title: 'to', align: 'left', dropOrder: 3, cell: ({ to }) => to },
];

/** `given up (14 times)` where one row is for several. */
function outcome({ status, notices }: BudgetDelivery): string {
  return notices === 1 ? status : `${status} (${notices} times)`;
}

/** `2026-11-21 15:02`, UTC. */
function shortTime(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

/** From this process, so that it works without a collector. */
async function test({ json }: Options, terminal: Terminal): Promise<ExitCode> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { noticeTargets } = await import('../../process/notices/targets.ts');
  const now = (): number => terminal.now().getTime();
  const config = loadCollectorConfig(terminal.env);
  const wrong = config.doubts.filter((doubt) => /"(webhooks|mail)\b/.test(doubt));
  for (const doubt of wrong) terminal.complain(doubt);
  const targets = noticeTargets(config, { version, now });
  if (targets.length + wrong.length === 0)
    throw new UsageError('`config.json` has neither webhooks nor mail: docs/notices.md says how.');
  const { signal } = new AbortController();
  const results: { to: string; status: Attempt['is']; detail: string }[] = [];
  for (const target of targets) {
    const id = randomUUID();
    const body = target.testBody(id, terminal.now().toISOString());
    const { is: status, detail } = await target.send({ id, body }, signal);
    results.push({ to: target.shown, status, detail });
  }
  if (json) terminal.printJson({ rows: results });
  else for (const { to, status, detail } of results) terminal.print(`${to}: ${status}, ${detail}`);
  return wrong.length === 0 && results.every(({ status }) => status === 'delivered') ? 0 : 1;
}
