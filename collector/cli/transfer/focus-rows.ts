/**
 * Rows of FOCUS 1.2, the FinOps Open Cost and Usage Specification, from rows of usage. Pure.
 *
 * - A row for each kind of token whose cost the host tells, one for what it does not split, and one
 *   for all tokens where its parts exceed the total. The costs add up to the row's to the
 *   nano-dollar.
 * - `BilledCost` and `EffectiveCost` are metered spend only: a plan's own price is in no ledger.
 *   `ListCost` and `ContractedCost` are the amount whoever pays it.
 * - FOCUS allows no empty cost. Where the price is not known the costs are 0, and `x_CostKnown`
 *   says false.
 * - The spender's own day stands as that day in UTC, the billing period as its month.
 */

import { exactUsd } from '@pi-ledger/contract/amounts';
import type { UsageFineRow } from '@pi-ledger/contract/answers';
import type { RowDimension } from '@pi-ledger/contract/row-dimensions';

/** What a row of usage has to be split by. */
export const focusDimensions = [
  'project',
  'user',
  'provider',
  'model',
  'costSource',
  'labels',
] as const satisfies readonly RowDimension[];

export const focusColumns = [
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'ChargeFrequency',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'ConsumedQuantity',
  'ConsumedUnit',
  'ContractedCost',
  'EffectiveCost',
  'InvoiceIssuerName',
  'ListCost',
  'PricingCategory',
  'PricingQuantity',
  'PricingUnit',
  'ProviderName',
  'PublisherName',
  'ServiceCategory',
  'ServiceName',
  'ServiceSubcategory',
  'SkuId',
  'SkuMeter',
  'SkuPriceId',
  'Tags',
  'x_Billing',
  'x_CostKnown',
  'x_CostSource',
  'x_Project',
  'x_User',
] as const;

/** Decimals are exact texts; null is an empty cell. */
export type FocusRow = Readonly<Record<(typeof focusColumns)[number], string | null>>;

export function toFocusRows(row: UsageFineRow): readonly FocusRow[] {
  return splitCharges(row).map((charge) => toFocus(row, charge));
}

interface Charge {
  readonly meter: string;
  readonly quantity: bigint;
  readonly unit: 'Tokens' | 'Requests';
  readonly nanoUsd: bigint;
}

const kinds = [
  { meter: 'Input Tokens', tokens: 'inputTokens', cost: 'inputNanoUsd' },
  { meter: 'Output Tokens', tokens: 'outputTokens', cost: 'outputNanoUsd' },
  { meter: 'Cache Read Tokens', tokens: 'cacheReadTokens', cost: 'cacheReadNanoUsd' },
  { meter: 'Cache Write Tokens', tokens: 'cacheWriteTokens', cost: 'cacheWriteNanoUsd' },
] as const;

/** Nothing for attempts that reported nothing. */
function splitCharges(row: UsageFineRow): readonly Charge[] {
  const total = BigInt(row.nanoUsd);
  const parts = kinds
    .map(({ meter, tokens, cost }): Charge => {
      const quantity = BigInt(row[tokens]);
      return { meter, quantity, unit: 'Tokens', nanoUsd: BigInt(row[cost]) };
    })
    .filter(({ quantity }) => quantity > 0n);
  const known = parts.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0n);
  if (total === 0n || (known > 0n && known <= total))
    return [...parts, ...chargeRest(row, total - known)];
  const quantity = parts.reduce((sum, part) => sum + part.quantity, 0n);
  return quantity === 0n
    ? chargeRest(row, total)
    : [{ meter: 'Tokens', quantity, unit: 'Tokens', nanoUsd: total }];
}

/** What no kind of token has. */
function chargeRest({ records }: UsageFineRow, nanoUsd: bigint): readonly Charge[] {
  return nanoUsd === 0n
    ? []
    : [{ meter: 'Other', quantity: BigInt(records), unit: 'Requests', nanoUsd }];
}

function toFocus(row: UsageFineRow, { meter, quantity, unit, nanoUsd }: Charge): FocusRow {
  const { day, billing } = row;
  const provider = row.provider ?? 'unknown';
  const model = row.model ?? 'unknown';
  const amount = exactUsd(nanoUsd);
  const billed = billing === 'metered' ? amount : '0';
  const month = day.slice(0, 7);
  return {
    BilledCost: billed,
    BillingAccountId: provider,
    BillingAccountName: null,
    BillingCurrency: 'USD',
    BillingPeriodEnd: dayStart(monthAfter(month)),
    BillingPeriodStart: dayStart(`${month}-01`),
    ChargeCategory: 'Usage',
    ChargeClass: null,
    ChargeDescription: describeCharge(row, model, meter),
    ChargeFrequency: 'Usage-Based',
    ChargePeriodEnd: dayStart(dayAfter(day)),
    ChargePeriodStart: dayStart(day),
    ConsumedQuantity: quantity.toString(),
    ConsumedUnit: unit,
    ContractedCost: amount,
    EffectiveCost: billed,
    InvoiceIssuerName: provider,
    ListCost: amount,
    PricingCategory: billing === 'metered' && isPriced(row) ? 'Standard' : 'Other',
    PricingQuantity: quantity.toString(),
    PricingUnit: unit,
    ProviderName: provider,
    PublisherName: provider,
    ServiceCategory: 'AI and Machine Learning',
    ServiceName: provider,
    ServiceSubcategory: 'Generative AI',
    SkuId: model,
    SkuMeter: meter,
    SkuPriceId: `${provider}/${model}/${meter}`,
    Tags: JSON.stringify(toTags(row)),
    x_Billing: billing,
    x_CostKnown: String(isPriced(row)),
    x_CostSource: row.costSource ?? null,
    x_Project: row.project ?? null,
    x_User: row.user ?? null,
  };
}

function isPriced({ costSource, nanoUsd, unpricedRecords }: UsageFineRow): boolean {
  return costSource !== 'unpriced' && (nanoUsd !== '0' || unpricedRecords === 0);
}

const billingTexts = {
  metered: '',
  subscription: ', covered by a subscription, at list price',
  unknown: ', not known how it is billed',
} as const;

function describeCharge(row: UsageFineRow, model: string, meter: string): string {
  const what = meter === 'Other' ? 'cost not split by kind of token' : meter.toLowerCase();
  const price = isPriced(row) ? '' : ', price not known: costs of 0 mean not known';
  return `${model}: ${what}${billingTexts[row.billing]}${price}`;
}

/** The user's own labels as they are; what the ledger adds has its prefix. */
function toTags({ labels, project, user }: UsageFineRow): Readonly<Record<string, unknown>> {
  return {
    ...(labels ? JSON.parse(labels) : {}),
    ...(project ? { 'pi-ledger/project': project } : {}),
    ...(user ? { 'pi-ledger/user': user } : {}),
  };
}

function dayStart(day: string): string {
  return `${day}T00:00:00Z`;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(dayStart(day)) + 86_400_000).toISOString().slice(0, 10);
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
}
