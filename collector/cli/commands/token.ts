import type { Token } from '@pi-ledger/contract/answers';
import { type LedgerClient, openLedgerClient } from '../client/ledger-client.ts';
import { type CliCommand, type Terminal, UsageError } from '../command.ts';
import { formatTime } from '../output/format.ts';
import { type Column, renderTable } from '../output/table.ts';
import { isDay } from '../period.ts';

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

/** `pi-ledger token create|list|revoke`: who may talk to a collector that asks for tokens. */
export const tokenCommand: CliCommand = {
  define(program, terminal, exit) {
    const token = program
      .command('token')
      .description('who may talk to a collector that others can reach');
    const run = (work: (client: LedgerClient) => Promise<void>) =>
      withClient(terminal, work).then(() => exit(0));
    token
      .command('create')
      .description('make a token, and show it this once')
      .requiredOption('--user <name>', 'whom it is for: what comes in with it counts for this user')
      .requiredOption(
        '--scope <scope>',
        `${scopes.join(', ')} (repeatable; admin includes the others)`,
        readScope,
      )
      .option('--only-own', 'reads only what counts for its user')
      .option('--project <name...>', 'reads only what counts for these projects')
      .option(
        '--expires <when>',
        'after so long (90d, 12h), or at an instant (2027-01-31T00:00:00Z); default: never',
      )
      .option('--note <text>', 'what it is for, to remember')
      .option('--json', 'print JSON')
      .action((options: CreateOptions) => run((client) => create(options, client, terminal)));
    token
      .command('list')
      .description('the tokens there are, revoked and expired ones too')
      .option('--json', 'print JSON')
      .action((options: { readonly json?: true }) =>
        run((client) => list(options.json === true, client, terminal)),
      );
    token
      .command('revoke')
      .description('revoke a token, at once and for good')
      .argument('<id>', 'as listed')
      .option('--json', 'print JSON')
      .action((id: string, options: { readonly json?: true }) =>
        run((client) => revoke(id, options.json === true, client, terminal)),
      );
  },
};

async function withClient(
  terminal: Terminal,
  work: (client: LedgerClient) => Promise<void>,
): Promise<void> {
  const client = await openLedgerClient(terminal);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

async function create(
  options: CreateOptions,
  client: LedgerClient,
  terminal: Terminal,
): Promise<void> {
  const { user, scope, onlyOwn, project, expires, note } = options;
  const wish = {
    user,
    scopes: scope,
    ...(onlyOwn ? { onlyOwn } : {}),
    ...(project === undefined ? {} : { projects: project }),
    ...(expires === undefined ? {} : { expiresAt: instantOf(expires, terminal.now()) }),
    ...(note === undefined ? {} : { note }),
  };
  const made = await client.post('/v1/tokens', wish);
  if (options.json) return terminal.printJson(made);
  terminal.print(made.token);
  const end = made.expiresAt === null ? '' : `, until ${formatTime(made.expiresAt)}`;
  terminal.complain(
    `Token ${made.id} for ${made.user}: ${describe(made)}${end}. It is shown this once.`,
  );
  terminal.complain(
    'Its user sets it as PI_LEDGER_TOKEN, or as "token" in ~/.pi-ledger/config.json, beside "url".',
  );
}

async function list(json: boolean, client: LedgerClient, terminal: Terminal): Promise<void> {
  const { rows } = await client.getAll('/v1/tokens');
  if (json) return terminal.printJson({ rows });
  if (rows.length === 0)
    return terminal.print(
      'There is no token yet: `pi-ledger token create --user NAME --scope ingest --scope read` makes one.',
    );
  for (const line of renderTable(columns, rows, null, {
    width: terminal.columns,
    colour: terminal.colour,
  }))
    terminal.print(line);
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
      : `Token ${row.id} of ${row.user} is revoked: the next request with it is refused.`,
  );
}

const columns: readonly Column<Token>[] = [
  { title: 'id', align: 'left', dropOrder: 0, cell: (row) => row.id },
  { title: 'user', align: 'left', dropOrder: 0, cell: (row) => row.user },
  { title: 'may', align: 'left', dropOrder: 0, cell: describe },
  { title: '', align: 'left', dropOrder: 0, cell: (row) => row.standing },
  { title: 'created', align: 'left', dropOrder: 3, cell: (row) => formatTime(row.createdAt) },
  {
    title: 'expires',
    align: 'left',
    dropOrder: 2,
    cell: (row) => (row.expiresAt === null ? 'never' : formatTime(row.expiresAt)),
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
  // Not only what `Date.parse` takes: of a 30th of February it makes a day in March.
  const isInstant =
    unit !== undefined || (isDay(when.slice(0, 10)) && ['', 'T'].includes(when.charAt(10)));
  if (!isInstant || Number.isNaN(atMs))
    throw new UsageError(
      `--expires: expected 90d, 12h or an instant (2027-01-31T00:00:00Z), got "${when}"`,
    );
  return new Date(atMs).toISOString();
}
