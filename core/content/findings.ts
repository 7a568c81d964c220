/** Parts of a text that must not be sent, and their replacement. */
export interface SecretFinding {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly placeholder: Placeholder;
}

export type Placeholder = '[redacted]' | '[email]' | '~';

/** Sorted and without overlap: overlapping findings become one, a secret if any of them is. */
export function merged(findings: readonly SecretFinding[]): readonly SecretFinding[] {
  const places: SecretFinding[] = [];
  for (const finding of [...findings].sort(
    (left, right) => left.start - right.start || right.end - left.end,
  )) {
    const last = places.at(-1);
    if (finding.end <= finding.start) continue;
    if (last === undefined || finding.start >= last.end) places.push(finding);
    else
      places[places.length - 1] = {
        ...last,
        end: Math.max(last.end, finding.end),
        placeholder: stricter(last, finding),
      };
  }
  return places;
}

function stricter(one: SecretFinding, other: SecretFinding): Placeholder {
  return one.placeholder === other.placeholder ? one.placeholder : '[redacted]';
}
