/** The end of each view: how to get the same numbers elsewhere. */
import type { JSX } from 'preact';

export interface SameNumbersProps {
  readonly command: string;
  /** A path and query of the API. */
  readonly request: string;
}

export function SameNumbers({ command, request }: SameNumbersProps): JSX.Element {
  return (
    <p class="same-numbers">
      The same numbers: <code>{command}</code> <code>GET {request}</code>
    </p>
  );
}
