import { withLedger } from '../client/ledger-client.ts';
import { standingNotes, warningTexts } from '../client/standing.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { addWideOption } from '../output/answer.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../sharing/showing.ts';

interface QuotaOptions extends ShowingOptions {
  readonly wide?: true;
}

/** `pi-ledger quota`: what subscriptions used of their 5 h and weekly windows. */
export const quotaCommand: CliCommand = {
  examples: {
    quota: [['pi-ledger quota', 'how much of each window is used, and when it ends']],
  },
  define(program, terminal, exit) {
    const command = program
      .command('quota')
      .description('show what subscriptions used of their 5 h and weekly windows, and who says so')
      .option('--json', 'print JSON');
    addShowingOptions(addWideOption(command)).action(async (options: QuotaOptions) => {
      exit(await showing(options, terminal, (shown) => quota(options, shown)));
    });
  },
};

async function quota({ json, wide }: QuotaOptions, terminal: Terminal): Promise<ExitCode> {
  return withLedger(terminal, async (client) => {
    const warnings = [...(await standingNotes(client)), ...(await standingNotes(client, 'quota'))];
    const answer = await client.get('/v1/quota');
    if (json) terminal.printJson({ ...answer, ...warningTexts(warnings) });
    else {
      const { printQuota } = await import('../output/answers/quota.ts');
      printQuota(answer, terminal, { wide, warnings });
    }
    return warnings.length > 0 ? 1 : 0;
  });
}
