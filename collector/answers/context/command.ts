import { showAnswer } from '../../cli/client/show-answer.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../../cli/command.ts';
import { expectTimeZone } from '../../cli/period.ts';

interface ContextOptions {
  readonly at?: string;
  readonly points?: string;
  readonly timezone?: string;
  readonly wide?: true;
  readonly json?: true;
}

/** The API's bounds; more than a terminal has columns. */
const pointsMin = 10;
const pointsMax = 5_000;
const pointsShown = 2_000;

/** `pi-ledger context`: what filled a session's window. */
export const contextCommand: CliCommand = {
  examples: {
    context: [['pi-ledger context last', 'what fills the window of the newest session']],
  },
  define(program, terminal, exit) {
    program
      .command('context')
      .description(
        "show what filled a session's context window, its compactions, and its cache misses",
      )
      .argument('<session>', 'its id, the start of its id, or `last`')
      .option('--at <entry>', 'show what filled it at this entry (default: the newest)')
      .option(
        '--points <n>',
        `points of the series in --json, ${pointsMin} to ${pointsMax} (default: 500)`,
      )
      .option('--timezone <name>', 'show times in this zone (Europe/Berlin), not in yours')
      .option('--wide', 'print all columns and full figures, however wide that is')
      .option('--json', 'print JSON')
      .action(async (session: string, options: ContextOptions) => {
        exit(await showContext(session, options, terminal));
      });
  },
};

async function showContext(
  session: string,
  { at, points, timezone, wide, json }: ContextOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const timeZone = expectTimeZone(timezone);
  const parameters = new URLSearchParams(at === undefined ? {} : { at });
  if (points !== undefined) parameters.set('points', expectPoints(points));
  else if (!json) parameters.set('points', String(pointsShown));
  return showAnswer({ json }, terminal, {
    views: ['sessions', 'context'],
    ask: (client) =>
      client.get('/v1/context/{session}', { params: { session }, query: parameters }),
    async print(answer, warnings) {
      const { printContext } = await import('./print/view.ts');
      printContext(answer, terminal, { timeZone, wide, warnings, isAsked: at !== undefined });
    },
  });
}

function expectPoints(text: string): string {
  const points = Number(text);
  if (Number.isInteger(points) && points >= pointsMin && points <= pointsMax) return text;
  throw new UsageError(
    `--points: expected a whole number from ${pointsMin} to ${pointsMax}, got "${text}"`,
  );
}
