import type { UsageRow } from '@pi-ledger/contract/answers';
import { amountColumns, isUnknownUsed, withoutNotes } from '../../answers/spend/print.ts';
import { sumFigures } from '../../answers/spend/sum-figures.ts';
import type { Billing } from '../../projections/rules.ts';
import { withLedger } from '../client/ledger-client.ts';
import { type CliCommand, type Terminal, UsageError } from '../command.ts';
import { printAnswer, table } from '../output/answer.ts';
import type { Note, Table } from '../output/answer-parts.ts';
import { ownLine } from '../own-line.ts';

interface BillingOptions {
  readonly json?: true;
}

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
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { billing } = loadCollectorConfig(terminal.env).rules;
  await withLedger(terminal, async (client) => {
    const usage = await client.getAll('/v1/usage', new URLSearchParams({ by: 'provider' }));
    const rows = usage.rows.filter(isUnknownUsed);
    if (json) return terminal.printJson({ billing, unknown: rows.map(toUnknown) });
    const { whyEmpty } = await import('../client/why-empty.ts');
    const known = 'The billing of all spend is known.';
    const empty = usage.rows.length === 0 ? await whyEmpty(client, {}, terminal) : known;
    const rules = Object.entries(billing).map(([provider, kind]) => `${provider} is ${kind}`);
    printAnswer(terminal, {
      first: rules.length === 0 ? 'There are no rules for billing.' : `Rules: ${rules.join(', ')}.`,
      body: [rows.length === 0 ? empty : unknownTable(rows)],
      notes: [...withoutNotes(sumFigures(rows).byBilling.unknown), ...ruleNotes(rows, terminal)],
    });
  });
}

function unknownTable(rows: readonly UsageRow[]): Table {
  const [amount] = amountColumns(sumFigures(rows)).slice(-1);
  return table<UsageRow>({
    columns: [
      {
        title: 'provider',
        align: 'left',
        dropOrder: 0,
        cell: ({ provider }) => provider ?? '(unknown)',
      },
      ...(amount === undefined ? [] : [amount]),
    ],
    rows,
  });
}

function ruleNotes(rows: readonly UsageRow[], terminal: Terminal): readonly Note[] {
  const provider = rows.find((row) => row.provider)?.provider;
  if (!provider) return [];
  const next = (kind: Billing) => ownLine(terminal, `billing ${provider}=${kind}`);
  return [
    { text: 'if a plan covers it', next: next('subscription') },
    { text: 'if it is billed by use', next: next('metered') },
  ];
}

async function set(
  texts: readonly string[],
  { json }: BillingOptions,
  terminal: Terminal,
): Promise<void> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { writeBilling } = await import('../../config/write-billing.ts');
  const { findCollector } = await import('../client/running-collector.ts');
  const changes = Object.fromEntries(texts.map(parseRule));
  const config = loadCollectorConfig(terminal.env);
  if (config.url !== null)
    throw new Error(`The collector at ${config.url} has its own config.json: set "billing" there.`);
  const known = await readProviders(terminal);
  const rules = Object.keys(changes).filter((name) => changes[name] !== null);
  const unused = rules.filter((name) => !known.includes(name));
  for (const name of unused) expectName(name, known);
  const billing = writeBilling(config.home, changes);
  if (json) return terminal.printJson({ billing, unused });
  const kinds = Object.entries(changes).map(([name, kind]) => `${name} is ${kind ?? 'unknown'}`);
  terminal.print(`${kinds.join(', ')}, wherever sessions do not say otherwise.`);
  for (const provider of unused)
    terminal.print(
      `No record is of the provider "${provider}" so far: its rule changes nothing. ` +
        knownText(known),
    );
  terminal.print(
    (await findCollector(config)) === null
      ? `next: ${ownLine(terminal, 'report')}`
      : 'Restart the collector: it reads its settings at its start.',
  );
}

/** The providers that records are of. */
async function readProviders(terminal: Terminal): Promise<readonly string[]> {
  const parameters = new URLSearchParams({ by: 'provider' });
  const { rows } = await withLedger(terminal, (client) => client.getAll('/v1/usage', parameters));
  return rows.flatMap(({ provider }) => provider ?? []).sort();
}

/** Records may come later, but not of a pattern: that rule would never match anything. */
function expectName(rule: string, known: readonly string[]): void {
  if (rule.includes('*'))
    throw new UsageError(
      `"${rule}" is no provider: a rule names one, and there are no patterns. ${knownText(known)}`,
    );
}

function knownText(known: readonly string[]): string {
  return known.length === 0
    ? 'No record has a provider yet.'
    : `Providers with records: ${known.join(', ')}.`;
}

function parseRule(text: string): [string, Billing | null] {
  const [, provider = '', kind] = /^(.+)=(metered|subscription|unknown)$/.exec(text) ?? [];
  if (kind === undefined)
    throw new UsageError(
      `expected PROVIDER=metered, PROVIDER=subscription or PROVIDER=unknown, got "${text}"`,
    );
  return [provider, kind === 'metered' || kind === 'subscription' ? kind : null];
}

function toUnknown({ provider, unknownBillingNanoUsd, byBilling }: UsageRow) {
  const { unpricedRecords, unreportedRecords } = byBilling.unknown;
  return {
    provider: provider ?? null,
    unknownBillingNanoUsd,
    unpricedRecords,
    unreportedRecords,
  };
}
