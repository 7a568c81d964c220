import { dollarText } from '@pi-ledger/contract/amounts';
import type { WithdrawalList, Withdrawn } from '@pi-ledger/contract/answers';
import { isDay } from '@pi-ledger/core/time/day';
import { withLedger } from '../../cli/client/ledger-client.ts';
import { type CliCommand, type Terminal, UsageError } from '../../cli/command.ts';
import { addWideOption, printAnswer, table } from '../../cli/output/answer.ts';
import type { Note } from '../../cli/output/answer-parts.ts';
import { countOf } from '../../cli/output/counts.ts';
import { formatTime } from '../../cli/output/format.ts';
import type { Column } from '../../cli/output/table.ts';
import { resolveMoment } from '../../cli/period.ts';

interface WithdrawOptions {
  readonly reason: string;
  readonly since?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const named = ['event', 'session', 'token'] as const;
type Named = (typeof named)[number];

/** `pi-ledger withdraw event|session|token|list`: takes back what should not have been sent. */
export const withdrawCommand: CliCommand = {
  examples: {
    'withdraw event': [
      [
        'pi-ledger withdraw event 0199f3c1-4e98-8558-86d4-eb9c5b8bce66 --reason forged',
        'one event',
      ],
    ],
    'withdraw session': [
      ['pi-ledger withdraw session 019a0008 --reason "a test" --dry-run', 'how much that is'],
    ],
    'withdraw token': [
      ['pi-ledger withdraw token 5f0a1c22b7d3 --since 7d --reason leaked', 'all that it sent'],
    ],
    'withdraw list': [['pi-ledger withdraw list', 'what was taken back, and why']],
  },
  define(program, terminal, exit) {
    const withdraw = program
      .command('withdraw')
      .description('take back what should not have been sent: no figure counts it any more');
    for (const name of named) {
      const command = withdraw
        .command(name)
        .description(descriptions[name])
        .argument(`<id>`, `the id of the ${name}`)
        .requiredOption('--reason <text>', 'why; it is kept in the log');
      if (name === 'token')
        command.requiredOption(
          '--since <when>',
          'what arrived from then until now: 2026-11-22, 7d',
        );
      command
        .option('--dry-run', 'show what would be withdrawn, and withdraw nothing')
        .option('--json', 'print JSON')
        .action(async (id: string, options: WithdrawOptions) => {
          await take(name, id, options, terminal);
          exit(0);
        });
    }
    addWideOption(withdraw.command('list'))
      .description('list what was withdrawn, with the reason')
      .option('--json', 'print JSON')
      .action(async (options: { readonly wide?: true; readonly json?: true }) => {
        await list(options, terminal);
        exit(0);
      });
  },
};

const descriptions: Readonly<Record<Named, string>> = {
  event: 'take one event back',
  session: 'take a session back, with whatever of it comes later',
  token: 'take back what was sent with a token; revoke the token as well',
};

async function take(
  name: Named,
  id: string,
  { reason, since, dryRun: isDry, json }: WithdrawOptions,
  terminal: Terminal,
): Promise<void> {
  const dryRun = isDry === true;
  const from = since === undefined ? {} : { since: sinceInstant(since, terminal.now()) };
  if (reason.trim() === '') throw new UsageError('--reason: say why');
  const answer = await withLedger(terminal, (client) =>
    client.post('/v1/withdrawals', { [name]: id, ...from, reason, dryRun }),
  );
  if (json) terminal.printJson(answer);
  else printWithdrawn(answer, { name, dryRun }, terminal);
}

/** A day begins where the terminal is. */
function sinceInstant(text: string, now: Date): string {
  const moment = resolveMoment('since', text, now);
  return isDay(moment) ? new Date(`${moment}T00:00:00`).toISOString() : moment;
}

function printWithdrawn(
  answer: Withdrawn,
  { name, dryRun }: { readonly name: Named; readonly dryRun: boolean },
  terminal: Terminal,
): void {
  const { events, sessions, nanoUsd, firstAt, lastAt } = answer;
  const what = `${countOf(events, 'event')} in ${countOf(sessions, 'session')}`;
  const isNone = events === 0;
  const times = `${formatTime(firstAt)} to ${formatTime(lastAt)}`;
  printAnswer(terminal, {
    first: isNone
      ? 'nothing to withdraw: the log has no events of that token and time'
      : `${dryRun ? 'would withdraw' : 'withdrawn'}: ${what}`,
    body: isNone ? [] : [`${dollarText(BigInt(nanoUsd), 4)} as recorded, ${times}`],
    notes: notesOn(answer, name, dryRun || isNone),
  });
}

function notesOn(
  { withoutToken, sealedBefore, sealedSessions }: Withdrawn,
  name: Named,
  isUnchanged: boolean,
): readonly Note[] {
  return [
    ...(isUnchanged
      ? []
      : [{ text: 'the views are being folded anew; until that is done, figures include it' }]),
    ...(name === 'token' && withoutToken > 0
      ? [
          {
            is: 'warning' as const,
            text:
              `${countOf(withoutToken, 'event')} of that time do not say which token sent them: ` +
              'recorded by an earlier version, or sent without one',
          },
        ]
      : []),
    ...(sealedBefore === null ? [] : [noteOnSeal(sealedBefore, sealedSessions, name)]),
  ];
}

/** Whose the sealed events were is known of sessions, not of tokens. */
function noteOnSeal(sealedBefore: string, sealedSessions: number, name: Named): Note {
  const text = `what happened before ${sealedBefore.slice(0, 10)} is sealed, and stays`;
  if (name !== 'token') return { text };
  const some = sealedSessions === 0 ? '' : `a part of ${countOf(sealedSessions, 'session')} is; `;
  const unknown = 'how much of it this token sent is not known any more';
  return { is: 'warning', text: `${text} counted: ${some}${unknown}` };
}

async function list(
  { wide, json }: { readonly wide?: true; readonly json?: true },
  terminal: Terminal,
): Promise<void> {
  const { rows } = await withLedger(terminal, (client) => client.get('/v1/withdrawals'));
  if (json) terminal.printJson({ rows });
  else if (rows.length === 0) terminal.print('Nothing was withdrawn.');
  else printAnswer(terminal, { body: [table({ columns, rows })], wide });
}

type Row = WithdrawalList['rows'][number];

const columns: readonly Column<Row>[] = [
  { title: 'when', align: 'left', dropOrder: 0, cell: ({ at }, { day }) => day(at) },
  { title: 'what', align: 'left', dropOrder: 0, cell: whatOf },
  { title: 'reason', align: 'left', dropOrder: 0, cell: ({ reason }) => reason },
  { title: 'by', align: 'left', dropOrder: 1, cell: ({ by }) => by ?? 'this machine' },
];

function whatOf({ events, session, token, since }: Row): string {
  if (session !== null) return `session ${session}`;
  if (token !== null) return `token ${token} since ${since ?? ''}`;
  return events.length === 1 ? `event ${events[0]}` : countOf(events.length, 'event');
}
