import { openLedgerClient } from '../client/ledger-client.ts';
import { type CliCommand, type ExitCode, type Terminal, UsageError } from '../command.ts';
import { expectTimeZone } from '../period.ts';

interface ContextOptions {
  readonly at?: string;
  readonly points?: string;
  readonly timezone?: string;
  readonly json?: true;
}

/** The API's bounds; more than a terminal has columns. */
const pointsMin = 10;
const pointsMax = 5_000;
const pointsShown = 2_000;

/** `pi-ledger context`: what filled a session's window. */
export const contextCommand: CliCommand = {
  define(program, terminal, exit) {
    program
      .command('context')
      .description(
        "what filled a session's window, when it was compacted, what was read again and what missed the cache",
      )
      .argument('<session>', 'its id, the beginning of it, or `last`')
      .option('--at <entry>', 'what filled it at this entry (default: the newest)')
      .option(
        '--points <n>',
        `how many points of the series --json has, ${pointsMin} to ${pointsMax} (default: 500)`,
      )
      .option('--timezone <name>', 'times in this zone (Europe/Berlin), instead of your own')
      .option('--json', 'print JSON')
      .action(async (session: string, options: ContextOptions) => {
        exit(await showContext(session, options, terminal));
      });
  },
};

async function showContext(
  session: string,
  { at, points, timezone, json }: ContextOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const timeZone = timezone === undefined ? undefined : expectTimeZone('timezone', timezone);
  const parameters = new URLSearchParams(at === undefined ? {} : { at });
  if (points !== undefined) parameters.set('points', expectPoints(points));
  else if (!json) parameters.set('points', String(pointsShown));
  const client = await openLedgerClient(terminal);
  try {
    const answer = await client.get('/v1/context/{session}', {
      params: { session },
      query: parameters,
    });
    if (json) terminal.printJson(answer);
    else
      (await import('../output/context-view.ts')).printContext(answer, terminal, {
        timeZone,
        isAsked: at !== undefined,
      });
    return 0;
  } finally {
    await client.close();
  }
}

function expectPoints(text: string): string {
  const points = Number(text);
  if (Number.isInteger(points) && points >= pointsMin && points <= pointsMax) return text;
  throw new UsageError(
    `--points: expected a whole number from ${pointsMin} to ${pointsMax}, got "${text}"`,
  );
}
