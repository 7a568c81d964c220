import type { CliCommand, ExitCode, Terminal } from '../command.ts';
import { UsageError } from '../command.ts';
import { addFilterOptions, type FilterOptions, filterParameters } from '../filters.ts';
import { formatCount, formatTime } from '../format.ts';
import { openLedgerClient } from '../ledger-client.ts';
import { type Column, renderTable } from '../table.ts';
import { type UsageFigures, usageColumns } from '../usage-table.ts';

interface SessionRow extends UsageFigures {
  readonly id: string;
  readonly project: string | null;
  readonly user: string | null;
  readonly host: string | null;
  readonly lastSeenAt: string | null;
  readonly prompts: number;
  readonly turns: number;
}

type SessionsOptions = FilterOptions & { readonly limit: string; readonly json?: true; readonly csv?: true };

const limitMax = 1000;

/** `pi-ledger sessions`: the newest sessions and what each of them spent. */
export const sessionsCommand: CliCommand = {
  define(program, terminal, exit) {
    const command = program
      .command('sessions')
      .description('the newest sessions and what each spent')
      .option('--limit <n>', `how many, at most ${limitMax}`, '20')
      .option('--json', 'print JSON')
      .option('--csv', 'print CSV');
    addFilterOptions(command).action(async (options: SessionsOptions) => {
      exit(await listSessions(options, terminal));
    });
  },
};

async function listSessions(options: SessionsOptions, terminal: Terminal): Promise<ExitCode> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw new UsageError(`--limit: expected a whole number from 1 to ${limitMax}, got "${options.limit}"`);
  }
  const parameters = filterParameters(options, terminal.now());
  parameters.set('limit', String(limit));
  const client = await openLedgerClient(terminal);
  try {
    if (options.csv) {
      parameters.set('format', 'csv');
      terminal.print((await client.getText(`/v1/sessions?${parameters}`)).trimEnd());
      return 0;
    }
    const answer = (await client.get(`/v1/sessions?${parameters}`)) as { readonly rows: readonly SessionRow[] };
    if (options.json) {
      terminal.print(JSON.stringify({ rows: answer.rows }, null, 2));
    } else {
      printTable(answer.rows, terminal);
    }
    return 0;
  } finally {
    await client.close();
  }
}

function printTable(rows: readonly SessionRow[], terminal: Terminal): void {
  const columns: Column<SessionRow>[] = [
    { title: 'session', align: 'left', dropOrder: 0, cell: (row) => row.id },
    { title: 'last seen', align: 'left', dropOrder: 3, cell: (row) => formatTime(row.lastSeenAt) },
    { title: 'project', align: 'left', dropOrder: 0, cell: (row) => row.project ?? '(unknown)' },
    { title: 'user', align: 'left', dropOrder: 8, cell: (row) => row.user ?? '' },
    { title: 'host', align: 'left', dropOrder: 9, cell: (row) => row.host ?? '' },
    { title: 'prompts', align: 'right', dropOrder: 10, cell: (row) => formatCount(row.prompts) },
    { title: 'turns', align: 'right', dropOrder: 11, cell: (row) => formatCount(row.turns) },
    ...usageColumns<SessionRow>(largestAmounts(rows)),
  ];
  for (const line of renderTable(columns, rows, null, { width: terminal.columns, colour: terminal.colour })) {
    terminal.print(line);
  }
}

/** Only to choose columns and decimals: which amounts occur, and how large they get. */
function largestAmounts(rows: readonly SessionRow[]): UsageFigures {
  const largest = (field: 'meteredNanoUsd' | 'subscriptionNanoUsd' | 'unknownBillingNanoUsd') =>
    rows.reduce((most, row) => (BigInt(row[field]) > most ? BigInt(row[field]) : most), 0n).toString();
  return {
    records: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    unpricedRecords: 0,
    unreportedRecords: 0,
    meteredNanoUsd: largest('meteredNanoUsd'),
    subscriptionNanoUsd: largest('subscriptionNanoUsd'),
    unknownBillingNanoUsd: largest('unknownBillingNanoUsd'),
  };
}
