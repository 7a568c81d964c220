/** How single variables `OTEL_*` are read. No message shows a value that may be a secret. */
import { readFileSync } from 'node:fs';
import type { Environment } from '@pi-ledger/contract/settings/read';

export interface FoundVariable {
  readonly variable: string;
  readonly text: string;
}

export interface VariablesReader {
  /** The first that is set. */
  find(...variables: readonly string[]): FoundVariable | null;
  complain(message: string): void;
}

/** An empty variable counts as not set. */
export function createReader(
  environment: Environment,
  complain: VariablesReader['complain'],
): VariablesReader {
  return {
    find(...variables) {
      for (const variable of variables) {
        const text = environment[variable]?.trim();
        if (text) return { variable, text };
      }
      return null;
    },
    complain,
  };
}

export function expected({ variable, text }: FoundVariable, fit: string): string {
  return `${variable} is ${JSON.stringify(text.slice(0, 80))}, expected ${fit}`;
}

/** The first one where nothing is set, or nothing that fits. */
export function readChoice<Choice extends string>(
  found: FoundVariable | null,
  choices: readonly [Choice, ...Choice[]],
  complain: VariablesReader['complain'],
): Choice {
  if (found === null) return choices[0];
  const choice = choices.find((each) => each === found.text.toLowerCase());
  if (choice === undefined) complain(expected(found, choices.join(' or ')));
  return choice ?? choices[0];
}

export function isTrue(
  found: FoundVariable | null,
  complain: VariablesReader['complain'],
): boolean {
  return readChoice(found, ['false', 'true'], complain) === 'true';
}

export function readMillis(
  found: FoundVariable | null,
  otherwise: number,
  complain: VariablesReader['complain'],
): number {
  if (found === null) return otherwise;
  const ms = Number(found.text);
  if (Number.isInteger(ms) && ms > 0 && ms <= 2 ** 31 - 1) return ms;
  complain(expected(found, 'milliseconds'));
  return otherwise;
}

/** `of`: what it must hold, as its first line says. */
export function readPem(
  found: FoundVariable | null,
  of: 'CERTIFICATE' | 'PRIVATE KEY',
  complain: VariablesReader['complain'],
): Buffer | null {
  if (found === null) return null;
  const pem = readFile(found, complain);
  if (pem === null || new RegExp(`^-----BEGIN ([A-Z]+ )*${of}-----`, 'm').test(pem.toString()))
    return pem;
  complain(`${found.variable} names a file without a PEM ${of.toLowerCase()}`);
  return null;
}

function readFile(
  { variable, text }: FoundVariable,
  complain: VariablesReader['complain'],
): Buffer | null {
  try {
    return readFileSync(text);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    complain(`${variable} names a file that cannot be read${why}`);
    return null;
  }
}
