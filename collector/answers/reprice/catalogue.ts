/**
 * Reads price catalogues in the shape of models.dev's `api.json`: providers by id, their models by
 * id, and each model's `cost` in USD per million tokens (`input`, `output`, `cache_read`,
 * `cache_write`, `reasoning`, tiers as `tiers` or `context_over_200k`). Everything else is ignored.
 *
 * Prices of 0 for both input and output mean that the price is unknown, as on the hosts: nothing is
 * ever shown as free. A bad price is reported with its place, and the whole catalogue is refused.
 */
import { decimalToUnits } from './decimal.ts';
import type { ModelPrice, PriceList, Rates, Tier } from './prices.ts';

interface CatalogueProblem {
  /** `anthropic/claude-sonnet-5: cost.input`; empty for the catalogue as a whole. */
  readonly place: string;
  /** What was expected and what was found. */
  readonly message: string;
}

export type ReadCatalogue =
  | { readonly is: 'read'; readonly prices: PriceList; readonly modelCount: number }
  /** At least one problem; of many, the first ones. */
  | { readonly is: 'refused'; readonly problems: readonly CatalogueProblem[] };

export function readCatalogue(given: unknown): ReadCatalogue {
  const problems: CatalogueProblem[] = [];
  const report: Report = (place, expected, found) => {
    if (problems.length < problemsMax)
      problems.push({ place, message: `expected ${expected}, got ${shorten(found)}` });
  };
  const models = new Map<string, ModelPrice>();
  for (const [providerId, provider] of Object.entries(
    fieldsOf(given, '', 'providers by id, as in models.dev/api.json', report) ?? {},
  )) {
    const known = fieldsOf(provider, providerId, 'an object with `models`', report);
    const ofProvider =
      known && fieldsOf(known.models, `${providerId}: models`, 'models by id', report);
    for (const [modelId, model] of Object.entries(ofProvider ?? {})) {
      const place = `${providerId}/${modelId}`;
      const fields = fieldsOf(model, place, 'an object', report);
      models.set(keyOf(providerId, modelId), readCost(fields?.cost, `${place}: cost`, report));
    }
  }
  if (problems.length === 0 && models.size === 0) report('', 'at least one model', given);
  if (problems.length > 0) return { is: 'refused', problems };
  return {
    is: 'read',
    prices: { find: (provider, model) => models.get(keyOf(provider, model)) ?? null },
    modelCount: models.size,
  };
}

type Report = (place: string, expected: string, found: unknown) => void;

const problemsMax = 20;
/** The size of the tier `context_over_200k`. */
const longContextTokens = 200_000;

function readCost(cost: unknown, place: string, report: Report): ModelPrice {
  if (cost === undefined) return { is: 'unpriced', reason: 'no_price' };
  const fields = fieldsOf(cost, place, 'an object', report);
  if (fields === null) return { is: 'unpriced', reason: 'no_price' };
  const base = readRates(fields, place, report);
  const tiers = readTiers(fields, place, report);
  if (tiers === null) return { is: 'unpriced', reason: 'unknown_tier' };
  if (base.input === 0n && base.output === 0n) return { is: 'unpriced', reason: 'zero_price' };
  return { is: 'priced', base, tiers };
}

type Fields = Readonly<Record<string, unknown>>;

function readRates(fields: Fields, place: string, report: Report): Rates {
  const optional = (name: string): bigint | null =>
    fields[name] === undefined ? null : readPrice(fields[name], `${place}.${name}`, report);
  return {
    input: readPrice(fields.input, `${place}.input`, report),
    output: readPrice(fields.output, `${place}.output`, report),
    cacheRead: optional('cache_read'),
    cacheWrite: optional('cache_write'),
    reasoning: optional('reasoning'),
  };
}

/**
 * Ascending; null when a tier depends on something other than the context's size.
 * `context_over_200k` is the older form of a tier.
 */
function readTiers(
  { tiers, context_over_200k: longContext }: Fields,
  place: string,
  report: Report,
): Tier[] | null {
  if (tiers === undefined) {
    if (longContext === undefined) return [];
    const at = `${place}.context_over_200k`;
    const fields = fieldsOf(longContext, at, 'an object', report);
    return fields === null
      ? []
      : [{ aboveTokens: longContextTokens, rates: readRates(fields, at, report) }];
  }
  if (!Array.isArray(tiers)) {
    report(`${place}.tiers`, 'a list', tiers);
    return [];
  }
  const read = tiers.map((tier, index) => readTier(tier, `${place}.tiers[${index}]`, report));
  const known = read.filter((tier) => tier !== null);
  return known.length < read.length
    ? null
    : known.toSorted((left, right) => left.aboveTokens - right.aboveTokens);
}

function readTier(given: unknown, place: string, report: Report): Tier | null {
  const fields = fieldsOf(given, place, 'an object', report);
  const tier = fields && fieldsOf(fields.tier, `${place}.tier`, 'an object', report);
  if (fields === null || tier === null) return null;
  const { type, size } = tier;
  if (typeof type === 'string' && type !== 'context') return null;
  const rates = readRates(fields, place, report);
  if (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0)
    return { aboveTokens: size, rates };
  report(`${place}.tier.size`, 'a whole number of tokens', size);
  return { aboveTokens: 0, rates };
}

/** Converts USD per million tokens to 10^-18 USD per token. */
function readPrice(given: unknown, place: string, report: Report): bigint {
  const units =
    typeof given === 'number' || typeof given === 'string'
      ? decimalToUnits(String(given), priceDecimalsMax)
      : null;
  if (units !== null && units <= priceMax) return units;
  report(place, 'a price in USD per million tokens (0 to 1,000,000, at most 12 decimals)', given);
  return 0n;
}

const priceDecimalsMax = 12;
const priceMax = 1_000_000n * 10n ** BigInt(priceDecimalsMax);

/** Reports anything but an object and returns null for it. */
function fieldsOf(given: unknown, place: string, expected: string, report: Report): Fields | null {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Fields;
  report(place, expected, given);
  return null;
}

/** Unambiguous, whatever the ids. */
function keyOf(provider: string, model: string): string {
  return JSON.stringify([provider, model]);
}

function shorten(found: unknown): string {
  const text = found === undefined ? 'nothing' : textOf(found);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

/** A parsed value may be nested too deeply to stringify. */
function textOf(found: unknown): string {
  try {
    return JSON.stringify(found);
  } catch (error) {
    if (error instanceof RangeError)
      return Array.isArray(found)
        ? 'lists within lists, thousands deep'
        : 'a value that is nested thousands deep';
    throw error;
  }
}
