import type { Command } from 'commander';
import { showAnswer } from '../../cli/client/show-answer.ts';
import type { CliCommand, ExitCode, Terminal } from '../../cli/command.ts';
import { addWideOption, printAnswer } from '../../cli/output/answer.ts';
import { expectTimeZone } from '../../cli/period.ts';
import { addShowingOptions, type ShowingOptions, showing } from '../../cli/sharing/showing.ts';

interface ShowOptions extends ShowingOptions {
  readonly timezone?: string;
  readonly wide?: true;
}

/** `pi-ledger sessions show`: below the command `sessions`. */
export function defineShow(
  sessions: Command,
  terminal: Terminal,
  exit: Parameters<CliCommand['define']>[2],
): void {
  const command = sessions
    .command('show')
    .description('show everything known about one session: its spend, its runs, its tools')
    .argument('<id>', 'its id, the start of it, or `last`')
    .option('--timezone <name>', 'show times in this zone (Europe/Berlin), not in yours')
    .option('--json', 'print JSON');
  addShowingOptions(addWideOption(command)).action(
    async (id: string, _options: ShowOptions, own: { optsWithGlobals(): ShowOptions }) => {
      const options = own.optsWithGlobals();
      exit(await showing(options, terminal, (shown) => show(id, options, shown)));
    },
  );
}

async function show(id: string, options: ShowOptions, terminal: Terminal): Promise<ExitCode> {
  const timeZone = expectTimeZone(options.timezone);
  return showAnswer(options, terminal, {
    views: ['sessions', 'timings'],
    ask: (client) => client.get('/v1/sessions/{id}', { params: { id } }),
    async print(session, warnings) {
      const { sessionAnswer } = await import('./print/session.ts');
      const answer = sessionAnswer(session);
      printAnswer(terminal, {
        ...answer,
        notes: [...warnings, ...(answer.notes ?? [])],
        wide: options.wide,
        timeZone,
      });
    },
  });
}
