/** The end of each view: how to get the same numbers elsewhere. */
import type { JSX } from 'preact';
import { Commands } from './own-command.tsx';

export interface SameNumbersProps {
  /** Several are joined. */
  readonly command: string | readonly string[];
  /** A path and query of the API. */
  readonly request: string;
}

export function SameNumbers({ command, request }: SameNumbersProps): JSX.Element {
  return (
    <p class="same-numbers">
      The same numbers: <Commands of={command} /> <code>GET {request}</code>
    </p>
  );
}
