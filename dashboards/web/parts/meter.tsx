/** A bar of what is used, with a tick for what is usual, or for now. */
import type { JSX } from 'preact';
import type { BillingStyle } from '../charts/billing-look.ts';

export interface MeterProps {
  /** For screen readers. */
  readonly label: string;
  /** 0 to 1; what is more fills it. Null: not known. */
  readonly share: number | null;
  readonly tick: number | null;
  /** As bars of that kind of money look. Default: solid. */
  readonly look?: BillingStyle;
  readonly isWarning?: boolean;
}

export function Meter({
  label,
  share,
  tick,
  look = 'solid',
  isWarning = false,
}: MeterProps): JSX.Element {
  return (
    <svg
      class="meter"
      viewBox="0 0 100 14"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect class="ground" y="2" width="100" height="10" />
      {share !== null && (
        <rect
          class={`${isWarning ? 's-warn' : 's1'} ${look}`}
          y="2"
          width={100 * Math.min(1, Math.max(0, share))}
          height="10"
        />
      )}
      {tick !== null && <path class="now" d={`M${100 * Math.min(1, Math.max(0, tick))} 0v14`} />}
    </svg>
  );
}
