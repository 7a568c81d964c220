import { withLedger } from '../client/ledger-client.ts';
import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { addWideOption } from '../output/answer.ts';

interface QuotaOptions {
  readonly json?: true;
  readonly wide?: true;
}

/** `pi-ledger quota`: what subscriptions used of their 5 h and weekly windows. */
export const quotaCommand: CliCommand = {
  define(program, terminal, exit) {
    const command = program
      .command('quota')
      .description('show what subscriptions used of their 5 h and weekly windows, and who says so')
      .option('--json', 'print JSON');
    addWideOption(command).action(async (options: QuotaOptions) => {
      exit(await quota(options, terminal));
    });
  },
};

async function quota({ json, wide }: QuotaOptions, terminal: Terminal): Promise<ExitCode> {
  const answer = await withLedger(terminal, (client) => client.get('/v1/quota'));
  if (json) terminal.printJson(answer);
  else (await import('../output/answers/quota.ts')).printQuota(answer, terminal, { wide });
  return 0;
}
