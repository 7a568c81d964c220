import { grouped } from '@pi-ledger/contract/amounts';
import { showAnswer } from '../../cli/client/show-answer.ts';
import type { CliCommand, ExitCode, Terminal } from '../../cli/command.ts';
import { addWideOption } from '../../cli/output/answer.ts';
import { resolveMoment } from '../../cli/period.ts';
import { expectRowLimit, rowLimitMax } from '../../cli/row-limit.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';
import { addNoticeCommands, noticeExamples } from './notices-command.ts';

interface BudgetsOptions extends ShowingOptions {
  readonly project?: readonly string[];
  readonly user?: readonly string[];
  readonly wide?: true;
}

interface CrossingsOptions extends BudgetsOptions {
  readonly budget?: readonly string[];
  readonly since?: string;
  readonly limit: string;
}

/**
 * `pi-ledger budgets`: how much of each is used; `crossings`: when each was exceeded; `deliveries`
 * and `test-notices`: who was told.
 */
export const budgetsCommand: CliCommand = {
  examples: {
    budgets: [['pi-ledger budgets', 'how much of each is used, and what to expect']],
    'budgets crossings': [
      ['pi-ledger budgets crossings --since 30d', 'when budgets came into another state'],
    ],
    ...noticeExamples,
  },
  define(program, terminal, exit) {
    const budgets = program
      .command('budgets')
      .description('show how much of each budget is used, and what to expect until its end')
      .option('--project <name...>', 'only budgets of this project, or any of several')
      .option('--user <name...>', 'only budgets of this user, or any of several')
      .option('--json', 'print JSON');
    addShowingOptions(addWideOption(budgets)).action(async (options: BudgetsOptions) => {
      exit(await showing(options, terminal, (shown) => list(options, shown)));
    });
    budgets
      .command('crossings')
      .description('show when budgets came into another state, newest first')
      .option('--budget <name...>', 'only this budget, or any of several')
      .option('--since <when>', 'from then on: 2026-11-22, today, 7d, 24h')
      .option('--limit <n>', `number of crossings, at most ${grouped(rowLimitMax)}`, '50')
      .action(async (_options: object, command: { optsWithGlobals(): CrossingsOptions }) => {
        const options = command.optsWithGlobals();
        exit(await showing(options, terminal, (shown) => crossings(options, shown)));
      });
    addNoticeCommands(budgets, terminal, exit);
  },
};

/** 1 where figures may be wrong, as for `report`; a budget that is over is no failure. */
async function list(options: BudgetsOptions, terminal: Terminal): Promise<ExitCode> {
  return showAnswer(options, terminal, {
    views: ['sessions'],
    ask: (client) => client.get('/v1/budgets', { query: queryOf(options) }),
    async print(answer, warnings) {
      const { printBudgets } = await import('./print.ts');
      printBudgets(answer, terminal, { wide: options.wide, warnings });
    },
  });
}

async function crossings(options: CrossingsOptions, terminal: Terminal): Promise<ExitCode> {
  const query = queryOf(options);
  for (const name of options.budget ?? []) query.append('budget', name);
  query.set('limit', String(expectRowLimit(options.limit)));
  if (options.since !== undefined)
    query.set('since', resolveMoment('since', options.since, terminal.now()));
  return showAnswer(options, terminal, {
    views: ['budgets'],
    ask: (client) => client.get('/v1/budgets/crossings', { query }),
    async print(answer, warnings) {
      const { printCrossings } = await import('./print.ts');
      printCrossings(answer, terminal, { wide: options.wide, warnings });
    },
  });
}

function queryOf({ project = [], user = [] }: BudgetsOptions): URLSearchParams {
  return new URLSearchParams([
    ...project.map((name) => ['project', name]),
    ...user.map((name) => ['user', name]),
  ]);
}
