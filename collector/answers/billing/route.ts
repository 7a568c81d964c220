/**
 * `GET /v1/billing`: how providers are paid, as far as somebody said. `POST /v1/billing`: says it;
 * every view is folded anew, so that history has it, too.
 */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { LedgerError } from '../../errors.ts';
import { answering, type Reply } from '../../http/answering.ts';
import type { Billing, FoldRules } from '../../projections/rules.ts';
import type { UsageViews } from '../views/usage-views.ts';
import { billingRows, knownProviders, type Suggestions } from './query.ts';

/** `unknown` takes a rule away. */
const Body = Type.Object(
  {
    rules: Type.Record(Type.String(), Type.Enum(['metered', 'subscription', 'unknown']), {
      minProperties: 1,
      maxProperties: 100,
      description: 'By provider; unknown: no rule.',
    }),
  },
  { additionalProperties: false },
);

/** The rules of this ledger. Changed ones are kept, and in force at once. */
export interface BillingRules {
  inForce(): FoldRules['billing'];
  /**
   * A null takes a rule away. Resolves when the views begin to be folded with them. Rejects with
   * `store_locked` where another process writes the ledger, with `not_saved` where its settings
   * cannot be written, and then nothing has changed.
   */
  change(changes: Readonly<Record<string, Billing | null>>): Promise<void>;
  /** Whether a view still says what the rules before said. */
  isBehind(): Promise<boolean>;
}

export interface BillingAsked extends UsageViews {
  readonly billing: BillingRules;
  /** By the kinds of credentials that agents on this machine have, never by what is in them. */
  readSuggestions(): Suggestions;
  settleViews(): Promise<void>;
}

const nameCharsMax = 200;
/** Every rule is read with every fold; a file of settings must stay readable. */
const rulesMax = 500;

export function routes(asked: BillingAsked) {
  const { billing, readSuggestions, settleViews } = asked;
  return async (app: FastifyInstance): Promise<void> => {
    app.get<Reply<'GET /v1/billing'>>(
      '/v1/billing',
      {
        config: { scope: 'admin' },
        schema: answering('GET /v1/billing', {
          summary: 'How providers are paid',
          tags: ['views'],
        }),
      },
      async () => {
        await settleViews();
        const rows = await billingRows(asked, billing.inForce(), readSuggestions());
        return { rows, next: null };
      },
    );
    app.post<{ Body: Static<typeof Body> } & Reply<'POST /v1/billing'>>(
      '/v1/billing',
      {
        config: { scope: 'admin' },
        schema: answering('POST /v1/billing', {
          summary: 'Say how providers are paid',
          tags: ['views'],
          body: Body,
        }),
      },
      async ({ body }) => {
        await settleViews();
        const known = await knownProviders(asked);
        const changes = changesIn(body.rules, known);
        expectRoom({ ...billing.inForce(), ...changes });
        await billing.change(changes);
        await settleViews();
        const unused = Object.keys(changes).filter(
          (name) => changes[name] !== null && !known.includes(name),
        );
        return { rules: billing.inForce(), unused, isBehind: await billing.isBehind() };
      },
    );
  };
}

function changesIn(
  rules: Static<typeof Body>['rules'],
  known: readonly string[],
): Readonly<Record<string, Billing | null>> {
  const entries = Object.entries(rules).map(([provider, kind]): [string, Billing | null] => [
    provider,
    kind === 'unknown' ? null : kind,
  ]);
  for (const [provider, kind] of entries) if (kind !== null) expectName(provider, known);
  return Object.fromEntries(entries);
}

/** Records may come later, but not of a pattern: that rule would never match anything. */
function expectName(provider: string, known: readonly string[]): void {
  if (provider === '' || provider.length > nameCharsMax || /\p{Cc}/u.test(provider))
    throw new LedgerError('bad_parameter', {
      field: 'rules',
      message: `rules: a provider has 1 to ${nameCharsMax} characters, and no control characters.`,
    });
  if (!provider.includes('*')) return;
  const names = known.length === 0 ? '' : ` Providers with records: ${known.join(', ')}.`;
  throw new LedgerError('bad_parameter', {
    field: 'rules',
    message: `"${provider}" is no provider: a rule names one; there are no patterns.${names}`,
  });
}

function expectRoom(rules: Readonly<Record<string, Billing | null>>): void {
  const count = Object.values(rules).filter((kind) => kind !== null).length;
  if (count > rulesMax)
    throw new LedgerError('bad_parameter', {
      field: 'rules',
      message: `rules: there would be ${count}, and ${rulesMax} are kept.`,
    });
}
