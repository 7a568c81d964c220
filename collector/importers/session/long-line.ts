/**
 * A line too long to be held in memory: its long strings are cut while it streams by, so that the
 * rest can be parsed.
 *
 * Long lines come from tool outputs and images, while everything that counts is short: names, ids,
 * figures. Of a long string, the beginning and the length are kept, so that sizes stay exact.
 *
 * Guarantees: memory is bounded by `keptBytesMax` and `valuesMax`, whatever the line holds. Of
 * lines that a host can write, only those of nothing but short strings exceed them. Does not look
 * at what it cuts.
 */
export interface LongLine {
  add(part: Buffer): void;
  /** Returns null when what is left is still too much. */
  end(): Buffer | null;
}

export interface LongLineBounds {
  /**
   * Each string keeps at most this many. Readers cut names and ids at 500 characters; once
   * `firstBytes` are kept, implausibly long names are cut too.
   */
  readonly stringBytesMax: { readonly first: number; readonly later: number };
  readonly firstBytes: number;
  /** As text and parsed, they take about five times as much. */
  readonly keptBytesMax: number;
  /** Members and elements. JSON of nothing but brackets takes many times its length when parsed. */
  readonly valuesMax: number;
}

export const longLineBounds: LongLineBounds = {
  stringBytesMax: { first: 2_048, later: 512 },
  firstBytes: 8 * 1024 * 1024,
  keptBytesMax: 32 * 1024 * 1024,
  valuesMax: 2_000_000,
};

/** `mark` follows the beginning of each cut string. Contract: it is ASCII and unguessable. */
export function createLongLine(mark: string, bounds = longLineBounds): LongLine {
  const { stringBytesMax, firstBytes, keptBytesMax, valuesMax } = bounds;
  const kept = createKept(keptBytesMax);
  let values = 0;
  let string: StringSoFar | null = null;

  function takeOutside(byte: number): void {
    kept.put(byte);
    if (byte === quote)
      string = newString(
        kept.length(),
        kept.length() < firstBytes ? stringBytesMax.first : stringBytesMax.later,
      );
    else if (byte === comma || byte === openBrace || byte === openBracket) values += 1;
  }

  function takeInside(into: StringSoFar, byte: number): void {
    if (byte === quote && into.toCome === 0) {
      if (into.bytes > into.bytesMax)
        kept.cut(into.safeLength, `${mark}${into.units - into.safeUnits}`);
      kept.put(byte);
      string = null;
      return;
    }
    if (isBoundary(into, byte) && into.bytes <= into.bytesMax) {
      into.safeLength = kept.length();
      into.safeUnits = into.units;
    }
    into.bytes += 1;
    if (into.bytes <= into.bytesMax) kept.put(byte);
    measure(into, byte);
  }

  return {
    add(part) {
      for (
        let index = 0;
        index < part.length && !kept.isOver() && values <= valuesMax;
        index += 1
      ) {
        const byte = part[index] as number;
        if (string === null) takeOutside(byte);
        else takeInside(string, byte);
      }
    },
    end: () => (kept.isOver() || values > valuesMax ? null : kept.taken()),
  };
}

/**
 * Restores the lengths of cut strings in place. False when one of them is in a usage object, whose
 * text distinguishes records: such a line cannot be recognized again.
 */
export function restoreLengths(value: unknown, mark: string): boolean {
  const left: Pending[] = [];
  if (isContainer(value)) left.push({ members: value, isUsage: false });
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (!restoreMembers(next, mark, left)) return false;
  }
  return true;
}

interface Pending {
  readonly members: Record<string, unknown>;
  /** Whether it is, or is part of, a usage object. */
  readonly isUsage: boolean;
}

function restoreMembers({ members, isUsage }: Pending, mark: string, left: Pending[]): boolean {
  for (const [key, member] of Object.entries(members)) {
    const full = typeof member === 'string' ? restored(member, mark) : null;
    if (isUsage && (full !== null || key.includes(mark))) return false;
    if (full !== null) members[key] = full;
    else if (isContainer(member))
      left.push({
        members: member,
        isUsage: isUsage || (key === 'usage' && !Array.isArray(member)),
      });
  }
  return true;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The blanks take no memory: the engine stores a repeated text as a tree of its halves. */
function restored(text: string, mark: string): string | null {
  const at = text.indexOf(mark);
  return at < 0 ? null : text.slice(0, at) + ' '.repeat(Number(text.slice(at + mark.length)));
}

interface StringSoFar {
  readonly bytesMax: number;
  bytes: number;
  /** UTF-16 units of its content. */
  units: number;
  /** Remaining bytes of an escape sequence; unknown right after a backslash. */
  toCome: number;
  /** A position between two characters where it can be cut. */
  safeLength: number;
  safeUnits: number;
}

function newString(at: number, bytesMax: number): StringSoFar {
  return { bytesMax, bytes: 0, units: 0, toCome: 0, safeLength: at, safeUnits: 0 };
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const openBracket = 0x5b;
const letterU = 0x75;
const hexDigits = 4;
/** After a backslash, when the next byte decides. */
const notKnown = -1;

function isBoundary({ toCome }: StringSoFar, byte: number): boolean {
  return toCome === 0 && !isContinuation(byte);
}

function measure(into: StringSoFar, byte: number): void {
  if (into.toCome === notKnown) into.toCome = byte === letterU ? hexDigits : 0;
  else if (into.toCome > 0) into.toCome -= 1;
  else if (byte === backslash) {
    into.toCome = notKnown;
    into.units += 1;
  } else if (!isContinuation(byte)) into.units += byte >= 0xf0 ? 2 : 1;
}

/** A byte after the first one of a multi-byte character. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function createKept(bytesMax: number) {
  let buffer = Buffer.allocUnsafe(Math.min(bytesMax, 64 * 1024));
  let length = 0;
  let isOver = false;
  const put = (byte: number) => {
    if (length === buffer.length) grow();
    if (isOver) return;
    buffer[length] = byte;
    length += 1;
  };
  function grow(): void {
    if (buffer.length >= bytesMax) isOver = true;
    if (isOver) return;
    const larger = Buffer.allocUnsafe(Math.min(bytesMax, buffer.length * 2));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  }
  return {
    put,
    length: () => length,
    isOver: () => isOver,
    cut(to: number, instead: string) {
      length = to;
      for (const byte of Buffer.from(instead, 'latin1')) put(byte);
    },
    taken: () => buffer.subarray(0, length),
  };
}
