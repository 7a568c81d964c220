import type { UsageRow } from '@pi-ledger/contract/answers';
import type { Billing } from '../../projections/rules.ts';
import { withLedger } from '../client/ledger-client.ts';
import { type CliCommand, type Terminal, UsageError } from '../command.ts';
import { printAnswer, table } from '../output/answer.ts';
import { formatNanoUsd } from '../output/format.ts';
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
  const query = new URLSearchParams({ by: 'provider' });
  const usage = await withLedger(terminal, (client) => client.getAll('/v1/usage', query));
  const rows = usage.rows.filter(({ unknownBillingNanoUsd }) => unknownBillingNanoUsd !== '0');
  if (json) return terminal.printJson({ billing, unknown: rows.map(toUnknown) });
  const rules = Object.entries(billing).map(([provider, kind]) => `${provider} is ${kind}`);
  const [first] = rows;
  printAnswer(terminal, {
    first: rules.length === 0 ? 'There are no rules for billing.' : `Rules: ${rules.join(', ')}.`,
    body: [
      rows.length === 0
        ? 'The billing of all spend is known.'
        : table({
            columns: [
              { title: 'provider', align: 'left', dropOrder: 0, cell: nameOf },
              { title: 'billing unknown', align: 'right', dropOrder: 0, cell: amountOf },
            ],
            rows,
          }),
    ],
    notes: first?.provider
      ? [
          {
            text: 'if a plan covers it',
            next: ownLine(terminal, `billing ${first.provider}=subscription`),
          },
          {
            text: 'if it is billed by use',
            next: ownLine(terminal, `billing ${first.provider}=metered`),
          },
        ]
      : [],
  });
}

async function set(
  texts: readonly string[],
  { json }: BillingOptions,
  terminal: Terminal,
): Promise<void> {
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { writeBilling } = await import('../../config/write-billing.ts');
  const { findCollector } = await import('../client/running-collector.ts');
  const changes = Object.fromEntries(texts.map(ruleOf));
  const config = loadCollectorConfig(terminal.env);
  if (config.url !== null)
    throw new Error(`The collector at ${config.url} has its own config.json: set "billing" there.`);
  const billing = writeBilling(config.home, changes);
  if (json) return terminal.printJson({ billing });
  const kinds = Object.entries(changes).map(([name, kind]) => `${name} is ${kind ?? 'unknown'}`);
  terminal.print(`${kinds.join(', ')}, wherever sessions do not say otherwise.`);
  terminal.print(
    (await findCollector(config)) === null
      ? `next: ${ownLine(terminal, 'report')}`
      : 'Restart the collector: it reads its settings at its start.',
  );
}

function ruleOf(text: string): [string, Billing | null] {
  const [, provider = '', kind] = /^(.+)=(metered|subscription|unknown)$/.exec(text) ?? [];
  if (kind === undefined)
    throw new UsageError(
      `expected PROVIDER=metered, PROVIDER=subscription or PROVIDER=unknown, got "${text}"`,
    );
  return [provider, kind === 'metered' || kind === 'subscription' ? kind : null];
}

function toUnknown({ provider, unknownBillingNanoUsd }: UsageRow) {
  return { provider: provider ?? null, unknownBillingNanoUsd };
}

function nameOf({ provider }: UsageRow): string {
  return provider ?? '(unknown)';
}

function amountOf({ unknownBillingNanoUsd }: UsageRow): string {
  return formatNanoUsd(BigInt(unknownBillingNanoUsd), 2);
}
