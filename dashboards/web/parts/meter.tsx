/** A bar of what is used, with a tick for what is usual, or for now. */
import type { JSX } from 'preact';

export interface MeterProps {
  /** For screen readers. */
  readonly label: string;
  /** 0 to 1; what is more fills it. Null: not known. */
  readonly share: number | null;
  readonly tick: number | null;
  /** The bar of a subscription is outlined. */
  readonly isPale?: boolean;
  readonly isWarning?: boolean;
}

export function Meter({
  label,
  share,
  tick,
  isPale = false,
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
          class={classOf(isPale, isWarning)}
          y="2"
          width={100 * Math.min(1, Math.max(0, share))}
          height="10"
        />
      )}
      {tick !== null && <path class="now" d={`M${100 * Math.min(1, Math.max(0, tick))} 0v14`} />}
    </svg>
  );
}

function classOf(isPale: boolean, isWarning: boolean): string {
  return `${isWarning ? 's-warn' : 's1'} ${isPale ? 'pale' : 'solid'}`;
}
