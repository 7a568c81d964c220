/** `pi-ledger budgets deliveries|test-webhook`: what webhooks were told, and whether they work. */
import { randomUUID } from 'node:crypto';
import type { BudgetDelivery } from '@pi-ledger/contract/answers';
import type { Command } from 'commander';
import type { Attempt } from '../../process/webhooks/post.ts';
import { withLedger } from '../client/ledger-client.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../command.ts';
import { printAnswer, table } from '../output/answer.ts';
import type { Column } from '../output/table.ts';
import { version } from '../version.ts';

interface Options {
  readonly wide?: true;
  readonly json?: true;
}

export const webhookExamples: CliCommand['examples'] = {
  'budgets deliveries': [['pi-ledger budgets deliveries', 'what arrived, and what waits']],
  'budgets test-webhook': [['pi-ledger budgets test-webhook', 'a message to each webhook']],
};

export function addWebhookCommands(
  budgets: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  budgets
    .command('deliveries')
    .description('list the notices that webhooks were sent: what arrived, and what waits')
    .action(async (_options: object, command: { optsWithGlobals(): Options }) => {
      exit(await deliveries(command.optsWithGlobals(), terminal));
    });
  budgets
    .command('test-webhook')
    .description('send a test message to every webhook of `config.json`')
    .action(async (_options: object, command: { optsWithGlobals(): Options }) => {
      exit(await test(command.optsWithGlobals(), terminal));
    });
}

async function deliveries({ wide, json }: Options, terminal: Terminal): Promise<ExitCode> {
  const answer = await withLedger(terminal, (client) => client.get('/v1/budgets/deliveries'));
  const { rows } = answer;
  if (json) terminal.printJson(answer);
  else if (rows.length === 0) terminal.print('No webhook was told of a budget so far.');
  else printAnswer(terminal, { body: [table({ columns, rows })], wide });
  return rows.some(({ status }) => status === 'refused' || status === 'given up') ? 1 : 0;
}

const columns: readonly Column<BudgetDelivery>[] = [
  { title: 'due', align: 'left', dropOrder: 0, cell: ({ since }) => shortTime(since) },
  { title: 'budget', align: 'left', dropOrder: 0, cell: ({ budget }) => budget },
  { title: 'state', align: 'left', dropOrder: 0, cell: ({ state }) => state },
  { title: 'notice', align: 'left', dropOrder: 0, cell: ({ status }) => status },
  { title: 'attempts', align: 'right', dropOrder: 2, cell: ({ attempts }) => String(attempts) },
  { title: 'answer', align: 'left', dropOrder: 1, cell: ({ detail }) => detail ?? '–' },
  { title: 'webhook', align: 'left', dropOrder: 3, cell: ({ webhook }) => webhook },
];

/** `2026-11-21 15:02`, UTC. */
function shortTime(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

/** From this process, so that it works without a collector. */
async function test({ json }: Options, terminal: Terminal): Promise<ExitCode> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { webhooks } = loadCollectorConfig(terminal.env);
  if (webhooks.length === 0)
    throw new UsageError('`config.json` names no webhook: docs/webhooks.md says how.');
  const { post } = await import('../../process/webhooks/post.ts');
  const { testNotice } = await import('../../process/webhooks/notice.ts');
  const { shownOf } = await import('../../process/webhooks/webhook.ts');
  const { signal } = new AbortController();
  const now = (): number => terminal.now().getTime();
  const results: { webhook: string; status: Attempt['is']; detail: string }[] = [];
  for (const webhook of webhooks) {
    const id = randomUUID();
    const body = testNotice(webhook, id, terminal.now().toISOString());
    const { is: status, detail } = await post(webhook, { id, body }, { version, now }, signal);
    results.push({ webhook: shownOf(webhook), status, detail });
  }
  if (json) terminal.printJson({ webhooks: results });
  else
    for (const { webhook, status, detail } of results)
      terminal.print(`${webhook}: ${status}, ${detail}`);
  return results.every(({ status }) => status === 'delivered') ? 0 : 1;
}
