/** What is hatched is not measured: a forecast, what is not explained, what failed. */
import type { JSX } from 'preact';

/** Paths with this fill have the pattern. */
export const hatched = 'url(#hatch)';

/** Defines the pattern, once on a page. */
export function Hatch(): JSX.Element {
  return (
    <defs>
      <pattern
        id="hatch"
        width="4"
        height="4"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path class="hatch-line" d="M0 0V4" />
      </pattern>
    </defs>
  );
}
