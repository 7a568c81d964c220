import { decimalText } from '@pi-ledger/contract/telemetry/prometheus-text';

/** An amount in dollars as a decimal without rounding: `1234567890` is `1.23456789`. */
export function exactUsd(nanoUsd: bigint): string {
  return decimalText(nanoUsd, 9);
}
