/** Readers for setting types that need no library. Pure. */
import type { Allowance, PlainValues, SettingType } from './setting.ts';

/** Reports an invalid part: its path in the file, its value, and what was expected. */
export type Complain = (path: string, value: unknown, expected: string) => void;

export interface ValueReader<Value> {
  /**
   * Undefined: invalid. Problems with parts are reported individually, and the value omits them.
   */
  read(value: unknown, complain: Complain): Value | undefined;
  readonly expected: string;
}

/** Returns null for a type that only the collector reads. */
export function findPlainReader(type: SettingType): ValueReader<unknown> | null {
  switch (type.is) {
    case 'wholeNumber':
      return wholeNumber(type);
    case 'choice':
      return choice(type.of);
    case 'switch':
    case 'url':
    case 'token':
    case 'name':
    case 'allowance':
      return plainReaders[type.is];
    default:
      return null;
  }
}

type PlainReaders = {
  readonly [Is in Exclude<keyof PlainValues, 'wholeNumber'>]: ValueReader<PlainValues[Is]>;
};

const plainReaders: PlainReaders = {
  switch: {
    read: (value) => switches.get(value),
    expected: 'true or false',
  },
  url: {
    read: (value) =>
      typeof value === 'string' && isCollectorUrl(value) ? value.replace(/\/+$/, '') : undefined,
    expected: 'an http or https address without user, password, query or fragment',
  },
  token: {
    read: (value) =>
      typeof value === 'string' && /^[\x21-\x7e]{1,1000}$/.test(value) ? value : undefined,
    expected: 'up to 1000 visible ASCII characters without blanks',
  },
  name: {
    read: (value) => (typeof value === 'string' && isName(value) ? value : undefined),
    expected: 'a name of up to 100 characters, without control characters',
  },
  allowance: {
    read: (value) => (typeof value === 'string' ? allowanceIn(value) : undefined),
    expected: '"5 metered dollars", "5 list-price dollars" or "200000 tokens", above 0',
  },
};

const switches: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 'true', '1'].map((value): [unknown, boolean] => [value, true]),
  ...[false, 'false', '0'].map((value): [unknown, boolean] => [value, false]),
]);

function wholeNumber({
  min,
  max,
}: {
  readonly min: number;
  readonly max: number;
}): ValueReader<number> {
  return {
    read(value) {
      const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
      return typeof number === 'number' &&
        Number.isInteger(number) &&
        number >= min &&
        number <= max
        ? number
        : undefined;
    },
    expected: `a whole number from ${min} to ${max}`,
  };
}

function choice(values: readonly string[]): ValueReader<string> {
  return { read: (value) => values.find((one) => one === value), expected: values.join(' or ') };
}

function allowanceIn(text: string): Allowance | undefined {
  const [, whole = '', fraction = '', unit] =
    /^(\d{1,12})(?:\.(\d{1,9}))? (metered dollars|list-price dollars|tokens)$/.exec(
      text.trim().replaceAll(/\s+/g, ' '),
    ) ?? [];
  if (unit === undefined || (unit === 'tokens' && fraction !== '')) return undefined;
  const amount = BigInt(unit === 'tokens' ? whole : whole + fraction.padEnd(9, '0'));
  return amount === 0n ? undefined : { unit: unit as Allowance['unit'], amount };
}

function isName(value: string): boolean {
  return value.trim() === value && /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(value);
}

/** A path is appended to it, so it must not end in query or fragment. */
function isCollectorUrl(value: string): boolean {
  if (!/^[^\s?#]+$/.test(value)) return false;
  try {
    const { protocol, username, password } = new URL(value);
    return /^https?:$/.test(protocol) && username + password === '';
  } catch {
    return false; // the caller names the problem
  }
}
