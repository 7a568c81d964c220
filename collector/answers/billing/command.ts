import { placesFor } from '@pi-ledger/contract/amounts';
import type { BillingChanged, BillingList } from '@pi-ledger/contract/answers';
import { type LedgerClient, withLedger } from '../../cli/client/ledger-client.ts';
import { type CliCommand, type Terminal, UsageError } from '../../cli/command.ts';
import { boundedText } from '../../cli/output/amounts-text.ts';
import { printAnswer, table } from '../../cli/output/answer.ts';
import type { Note } from '../../cli/output/answer-parts.ts';
import type { Column } from '../../cli/output/table.ts';
import { sayLine } from '../../cli/output/wrap.ts';
import { ownLine } from '../../cli/own-line.ts';
import { withoutNotes } from '../spend/print.ts';

interface BillingOptions {
  readonly json?: true;
}

type Row = BillingList['rows'][number];

/**
 * `pi-ledger billing`: how providers are paid, where nobody said so: spend of imported history. A
 * rule counts only for such spend.
 */
export const billingCommand: CliCommand = {
  examples: {
    billing: [
      ['pi-ledger billing', 'how each provider is paid'],
      ['pi-ledger billing anthropic=subscription', 'say how'],
    ],
  },
  define(program, terminal, exit) {
    program
      .command('billing')
      .description('say how a provider is paid where sessions do not tell, as imported history')
      .argument('[rule...]', 'anthropic=subscription, openai=metered, xai=unknown (no rule)')
      .option('--json', 'print JSON')
      .action(async (texts: readonly string[], options: BillingOptions) => {
        if (texts.length === 0) await list(options, terminal);
        else await set(texts, options, terminal);
        exit(0);
      });
  },
};

async function list({ json }: BillingOptions, terminal: Terminal): Promise<void> {
  await withLedger(terminal, async (client) => {
    const { rows } = await client.get('/v1/billing');
    const rules = rows.filter(({ rule }) => rule !== null);
    const unknown = rows.filter(isUnknown);
    if (json)
      return terminal.printJson({
        billing: Object.fromEntries(rules.map(({ provider, rule }) => [provider, rule])),
        unknown: unknown.map(({ rule: _, ...row }) => row),
      });
    printAnswer(terminal, {
      first:
        rules.length === 0
          ? 'There are no rules for billing.'
          : `Rules: ${rules.map(({ provider, rule }) => `${provider} is ${rule}`).join(', ')}.`,
      body: [unknown.length === 0 ? await whyNone(client, terminal) : tableOf(unknown)],
      notes: [...withoutNotes(sumWithout(unknown)), ...ruleNotes(unknown, terminal)],
    });
  });
}

/** A provider with a rule alone has none. */
function isUnknown({ unknownBillingNanoUsd, unpricedRecords, unreportedRecords }: Row): boolean {
  return unknownBillingNanoUsd !== '0' || unpricedRecords + unreportedRecords > 0;
}

async function whyNone(client: LedgerClient, terminal: Terminal): Promise<string> {
  const { rows } = await client.get('/v1/usage', {
    query: new URLSearchParams({ by: 'provider', limit: '1' }),
  });
  if (rows.length > 0) return 'The billing of all spend is known.';
  const { whyEmpty } = await import('../../cli/client/why-empty.ts');
  return whyEmpty(client, {}, terminal);
}

function tableOf(rows: readonly Row[]) {
  const places = placesFor(BigInt(rows[0]?.unknownBillingNanoUsd ?? '0'));
  const columns: readonly Column<Row>[] = [
    {
      title: 'provider',
      align: 'left',
      dropOrder: 0,
      cell: ({ provider }) => provider ?? '(unknown)',
    },
    {
      title: 'billing unknown',
      align: 'right',
      dropOrder: 0,
      cell: (row) => boundedText(BigInt(row.unknownBillingNanoUsd), row, places) ?? '–',
    },
  ];
  return table({ columns, rows });
}

function sumWithout(rows: readonly Row[]) {
  return {
    unpricedRecords: rows.reduce((sum, row) => sum + row.unpricedRecords, 0),
    unreportedRecords: rows.reduce((sum, row) => sum + row.unreportedRecords, 0),
  };
}

/** The suggested answer alone, if there is one. */
function ruleNotes(rows: readonly Row[], terminal: Terminal): readonly Note[] {
  const [row] = rows.filter(({ provider }) => provider !== null);
  if (row === undefined) return [];
  const plan = {
    text: planText(row),
    next: ownLine(terminal, `billing ${row.provider}=subscription`),
  };
  const use = { text: useText(row), next: ownLine(terminal, `billing ${row.provider}=metered`) };
  return row.suggested === 'metered' ? [use, plan] : [plan, use];
}

function planText({ provider, suggested }: Row): string {
  return suggested === 'subscription'
    ? `if a plan covers it, and ${provider} is signed in with one here`
    : 'if a plan covers it';
}

function useText({ provider, suggested }: Row): string {
  return suggested === 'metered'
    ? `if it is billed by use, and ${provider} has a key here`
    : 'if it is billed by use';
}

async function set(
  texts: readonly string[],
  { json }: BillingOptions,
  terminal: Terminal,
): Promise<void> {
  const rules = Object.fromEntries(texts.map(parseRule));
  await withLedger(terminal, async (client) => {
    const answer = await client.post('/v1/billing', { rules });
    if (json) return terminal.printJson({ billing: answer.rules, unused: answer.unused });
    const kinds = Object.entries(rules).map(([name, kind]) => `${name} is ${kind}`);
    const say = (text: string) => sayLine(terminal, text);
    say(`${kinds.join(', ')}, wherever sessions do not say otherwise.`);
    if (answer.unused.length > 0) say(await unusedText(client, answer));
    say(
      answer.isBehind
        ? 'The views are being folded anew; until that is done, figures keep the rules before.'
        : `next: ${ownLine(terminal, 'report')}`,
    );
  });
}

async function unusedText(client: LedgerClient, { unused }: BillingChanged): Promise<string> {
  const { rows } = await client.getAll('/v1/usage', new URLSearchParams({ by: 'provider' }));
  const known = rows.flatMap(({ provider }) => provider ?? []).sort();
  const names =
    known.length === 0
      ? 'No record has a provider yet.'
      : `Providers with records: ${known.join(', ')}.`;
  const quoted = unused.map((name) => `"${name}"`).join(', ');
  return `No record is of the provider ${quoted} so far: its rule changes nothing. ${names}`;
}

function parseRule(text: string): [string, string] {
  const [, provider = '', kind] = /^(.+)=(metered|subscription|unknown)$/.exec(text) ?? [];
  if (kind === undefined)
    throw new UsageError(
      `expected PROVIDER=metered, PROVIDER=subscription or PROVIDER=unknown, got "${text}"`,
    );
  return [provider, kind];
}
