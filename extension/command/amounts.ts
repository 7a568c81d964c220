/** Amounts as `/ledger` shows them. */

export function dollars(nanoUsd: bigint): string {
  const tenThousandths = (nanoUsd + 50_000n) / 100_000n;
  if (tenThousandths === 0n && nanoUsd > 0n) return '<$0.0001';
  const fraction = String(tenThousandths % 10_000n).padStart(4, '0');
  return `$${grouped(tenThousandths / 10_000n)}.${fraction}`;
}

/** Short: `$0.42`, `<$0.01`. */
export function cents(nanoUsd: bigint): string {
  const rounded = (nanoUsd + 5_000_000n) / 10_000_000n;
  if (rounded === 0n && nanoUsd > 0n) return '<$0.01';
  return `$${grouped(rounded / 100n)}.${String(rounded % 100n).padStart(2, '0')}`;
}

export function grouped(amount: number | bigint): string {
  return amount.toLocaleString('en-US');
}

/** Of an exact decimal: at most four digits, cut off: a limit never seems reached before it is. */
export function decimal(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = fraction.slice(0, 4).replace(/0+$/, '');
  return grouped(BigInt(/^\d+$/.test(whole) ? whole : 0)) + (digits === '' ? '' : `.${digits}`);
}

export function entriesText(entries: number): string {
  return entries === 1 ? '1 entry' : `${grouped(entries)} entries`;
}
