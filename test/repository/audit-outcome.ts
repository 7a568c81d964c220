/** What `npm audit --json` has printed. Pure. */

interface Report {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
}

interface Outcome {
  readonly code: 0 | 1;
  readonly says: string;
}

export function auditOutcome(printed: string): Outcome {
  const found = reportIn(printed).vulnerabilities;
  if (found === undefined)
    return { code: 0, says: 'NOT DONE: the registry answers no questions about vulnerabilities.' };
  const names = Object.entries(found).map(([name, { severity }]) => `${name} (${severity})`);
  if (names.length === 0) return { code: 0, says: 'no known vulnerabilities.' };
  return { code: 1, says: `known vulnerabilities in ${names.join(', ')}.` };
}

function reportIn(printed: string): Report {
  try {
    return JSON.parse(printed) as Report;
  } catch {
    return {};
  }
}
