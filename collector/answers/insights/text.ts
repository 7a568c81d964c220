/** How sentences of insights write figures and names. Pure. */
import { dollarText, grouped } from '@pi-ledger/contract/amounts';

/** Writes `n/a` for what is not known, and never $0.00. */
export function dollars(nanoUsd: bigint | null): string {
  return nanoUsd === null ? 'n/a' : dollarText(nanoUsd, 2);
}

/** `+$1.20`, `-$0.40`. */
export function change(nanoUsd: bigint): string {
  return nanoUsd < 0n ? dollars(nanoUsd) : `+${dollars(nanoUsd)}`;
}

/** `1 record`, `2,500 records`. */
export function counted(count: bigint | number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${Number(count) === 1 ? noun : plural}`;
}

/** `1.2M`: three figures from ten thousand on. */
export function shortTokens(tokens: number): string {
  if (tokens < 10_000) return grouped(tokens);
  const [size, unit] =
    tokens < 999_500 ? [1e3, 'k'] : tokens < 999_500_000 ? [1e6, 'M'] : [1e9, 'G'];
  const value = tokens / size;
  return `${value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0)}${unit}`;
}

export function nameOr(name: string): string {
  return name === '' ? '(unknown)' : name;
}

/** Up to the first dash of a UUID; other ids whole. */
export function shortId(id: string): string {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(id) ? id.slice(0, 8) : id;
}
