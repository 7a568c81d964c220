import type { Token } from '@pi-ledger/contract/answers';
import { isDay } from '@pi-ledger/core/time/day';
import { type LedgerClient, withLedger } from '../../cli/client/ledger-client.ts';
import { type CliCommand, type Terminal, UsageError } from '../../cli/command.ts';
import { addWideOption, printAnswer, table } from '../../cli/output/answer.ts';
import { formatTime } from '../../cli/output/format.ts';
import type { Column } from '../../cli/output/table.ts';
import { ownLine } from '../../cli/own-line.ts';

interface ListOptions {
  readonly wide?: true;
  readonly json?: true;
}

interface CreateOptions {
  readonly user: string;
  readonly scope: readonly string[];
  readonly onlyOwn?: true;
  readonly project?: readonly string[];
  readonly expires?: string;
  readonly note?: string;
  readonly json?: true;
}

const scopes = ['ingest', 'read', 'admin'];

/** `pi-ledger token create|list|revoke`: who may use a collector that requires tokens. */
export const tokenCommand: CliCommand = {
  examples: {
    'token create': [
      ['pi-ledger token create --user ada --scope ingest --scope read --only-own', 'for a member'],
    ],
    'token list': [['pi-ledger token list', 'who may do what']],
    'token revoke': [['pi-ledger token revoke 01a2092e', 'at once and for good']],
  },
  define(program, terminal, exit) {
    const token = program
      .command('token')
      .description('manage who may use a collector that others can reach');
    const run = (work: (client: LedgerClient) => Promise<void>) =>
      withLedger(terminal, work).then(() => exit(0));
    token
      .command('create')
      .description('create a token and show it once')
      .requiredOption('--user <name>', 'its user: everything sent with it counts for this user')
      .requiredOption(
        '--scope <scope>',
        `${scopes.join(', ')} (repeatable; admin includes the others)`,
        readScope,
      )
      .option('--only-own', 'may read only what counts for its user')
      .option('--project <name...>', 'may read only what counts for these projects')
      .option(
        '--expires <when>',
        'after 90d or 12h, or at an instant (2027-01-31T00:00:00Z); default: never',
      )
      .option('--note <text>', 'a reminder of what it is for')
      .option('--json', 'print JSON')
      .action((options: CreateOptions) => run((client) => create(options, client, terminal)));
    addWideOption(token.command('list'))
      .description('list all tokens, including revoked and expired ones')
      .option('--json', 'print JSON')
      .action((options: ListOptions) => run((client) => list(options, client, terminal)));
    token
      .command('revoke')
      .description('revoke a token immediately and for good')
      .argument('<id>', 'as listed')
      .option('--json', 'print JSON')
      .action((id: string, options: { readonly json?: true }) =>
        run((client) => revoke(id, options.json === true, client, terminal)),
      );
  },
};

async function create(
  options: CreateOptions,
  client: LedgerClient,
  terminal: Terminal,
): Promise<void> {
  const { user, scope, onlyOwn, project, expires, note } = options;
  const request = {
    user,
    scopes: scope,
    ...(onlyOwn ? { onlyOwn } : {}),
    ...(project === undefined ? {} : { projects: project }),
    ...(expires === undefined ? {} : { expiresAt: instantOf(expires, terminal.now()) }),
    ...(note === undefined ? {} : { note }),
  };
  const made = await client.post('/v1/tokens', request);
  const config = { url: await urlToGive(terminal), token: made.token };
  if (options.json) return terminal.printJson({ ...made, config });
  terminal.print(made.token);
  const end = made.expiresAt === null ? '' : `, until ${formatTime(made.expiresAt)}`;
  terminal.complain(
    `Token ${made.id} for ${made.user}: ${describe(made)}${end}. It is not shown again.`,
  );
  terminal.complain(
    'The user sets it as PI_LEDGER_TOKEN, or as "token" beside "url" in ~/.pi-ledger/config.json' +
      (terminal.columns === null ? '.' : ':'),
  );
  // Where the output goes elsewhere, it is the token alone.
  if (terminal.columns !== null) terminal.print(JSON.stringify(config));
}

async function urlToGive({ env }: Terminal): Promise<string> {
  const { hostname } = await import('node:os');
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { sharedUrl } = await import('../../config/shared-url.ts');
  return sharedUrl(loadCollectorConfig(env), hostname());
}

async function list(
  { wide, json }: ListOptions,
  client: LedgerClient,
  terminal: Terminal,
): Promise<void> {
  const { rows } = await client.getAll('/v1/tokens');
  if (json) return terminal.printJson({ rows });
  if (rows.length === 0)
    return printAnswer(terminal, {
      body: [
        'There are no tokens yet. Create one: ' +
          `\`${ownLine(terminal, 'token create --user NAME --scope ingest --scope read')}\``,
      ],
    });
  printAnswer(terminal, { body: [table({ columns, rows })], wide });
}

async function revoke(
  id: string,
  json: boolean,
  client: LedgerClient,
  terminal: Terminal,
): Promise<void> {
  const row = await client.post('/v1/tokens/{id}/revoke', {}, { params: { id } });
  terminal.print(
    json
      ? JSON.stringify(row)
      : `Token ${row.id} of ${row.user} is revoked; requests with it are refused from now on.`,
  );
}

const columns: readonly Column<Token>[] = [
  { title: 'id', align: 'left', dropOrder: 0, cell: (row) => row.id },
  { title: 'user', align: 'left', dropOrder: 0, cell: (row) => row.user },
  { title: 'may', align: 'left', dropOrder: 0, cell: describe },
  { title: '', align: 'left', dropOrder: 0, cell: (row) => row.status },
  { title: 'created', align: 'left', dropOrder: 3, cell: (row, { day }) => day(row.createdAt) },
  {
    title: 'expires',
    align: 'left',
    dropOrder: 2,
    cell: (row, { day }) => (row.expiresAt === null ? 'never' : day(row.expiresAt)),
  },
  { title: 'note', align: 'left', dropOrder: 1, cell: (row) => row.note ?? '' },
];

function describe({ scopes: allowed, onlyOwn, projects }: Token): string {
  const limit = onlyOwn ? ' (own only)' : projects === null ? '' : ` (${projects.join(', ')} only)`;
  return allowed.map((scope) => (scope === 'read' ? `read${limit}` : scope)).join(', ');
}

function readScope(scope: string, before: readonly string[] = []): readonly string[] {
  if (!scopes.includes(scope))
    throw new UsageError(`--scope: expected one of ${scopes.join(', ')}, got "${scope}"`);
  return before.includes(scope) ? before : [...before, scope];
}

const unitMs = { h: 3_600_000, d: 86_400_000 } as const;

function instantOf(when: string, now: Date): string {
  const [, count, unit] = /^([1-9]\d{0,4})([hd])$/.exec(when) ?? [];
  const atMs =
    unit === undefined
      ? Date.parse(when)
      : now.getTime() + Number(count) * unitMs[unit as keyof typeof unitMs];
  // `Date.parse` alone takes 30 February for a day in March.
  const isInstant =
    unit !== undefined || (isDay(when.slice(0, 10)) && ['', 'T'].includes(when.charAt(10)));
  if (!isInstant || Number.isNaN(atMs))
    throw new UsageError(
      `--expires: expected 90d, 12h or an instant (2027-01-31T00:00:00Z), got "${when}"`,
    );
  return new Date(atMs).toISOString();
}
