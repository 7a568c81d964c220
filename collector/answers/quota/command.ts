import { showAnswer } from '../../cli/client/show-answer.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../../cli/command.ts';
import { addWideOption } from '../../cli/output/answer.ts';
import { resolvePeriod } from '../../cli/period.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';

interface QuotaOptions extends ShowingOptions {
  readonly wide?: true;
}

interface HistoryOptions extends QuotaOptions {
  readonly since?: string;
  readonly until?: string;
  readonly byUser?: true;
}

/** `pi-ledger quota`: what subscriptions used of their windows; `history`: over days. */
export const quotaCommand: CliCommand = {
  examples: {
    quota: [['pi-ledger quota', 'how much of each window is used, and when it ends']],
    'quota history': [
      [
        'pi-ledger quota history --since 90d',
        'how much of them was used, and how many plans were needed',
      ],
    ],
  },
  define(program, terminal, exit) {
    const command = program
      .command('quota')
      .description('show what subscriptions used of their 5 h and weekly windows, and who says so')
      .option('--json', 'print JSON');
    addShowingOptions(addWideOption(command)).action(async (options: QuotaOptions) => {
      exit(await showing(options, terminal, (shown) => quota(options, shown)));
    });
    command
      .command('history')
      .description(
        "show how much of plans' windows was used over days, and how many plans were needed",
      )
      .option('--since <day>', 'from this day (UTC) on: 2026-11-22, today, 7d (default: 30 days)')
      .option('--until <day>', 'up to and including this day (UTC)')
      .option('--by-user', 'a row for each user')
      .action(async (_options: object, each: { optsWithGlobals(): HistoryOptions }) => {
        const options = each.optsWithGlobals();
        exit(await showing(options, terminal, (shown) => history(options, shown)));
      });
  },
};

async function quota({ json, wide }: QuotaOptions, terminal: Terminal): Promise<ExitCode> {
  return showAnswer({ json }, terminal, {
    views: ['sessions', 'quota'],
    ask: (client) => client.get('/v1/quota'),
    async print(answer, warnings) {
      const { printQuota } = await import('./print.ts');
      printQuota(answer, terminal, { wide, warnings });
    },
  });
}

async function history(options: HistoryOptions, terminal: Terminal): Promise<ExitCode> {
  const query = historyQuery(options, terminal);
  return showAnswer(options, terminal, {
    views: ['sessions', 'quota'],
    ask: (client) => client.get('/v1/quota/history', { query }),
    async print(answer, warnings) {
      const { printQuotaHistory } = await import('./print-history.ts');
      printQuotaHistory(answer, terminal, { wide: options.wide, warnings });
    },
  });
}

function historyQuery(options: HistoryOptions, terminal: Terminal): URLSearchParams {
  const query = new URLSearchParams(options.byUser ? { by: 'user' } : {});
  const period = resolvePeriod(options, terminal.now(), 'UTC');
  for (const bound of ['since', 'until'] as const) {
    const day = period[bound];
    if (day === undefined) continue;
    if (day.length !== 10)
      throw new UsageError(`--${bound}: expected a day, got "${options[bound]}"`);
    query.set(bound, day);
  }
  return query;
}
