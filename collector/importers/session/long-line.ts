/**
 * A line that is too long to be held: its long strings are cut while it goes by, so that what it
 * says beyond them can be parsed.
 *
 * What makes lines long is what tools have read and what images show. What is counted is short:
 * names, ids, figures. Of a string of more than `stringBytesMax` its beginning is kept, and its
 * length, so that sizes stay what they are.
 *
 * Guarantees: memory is bounded by `keptBytesMax` and `valuesMax`, whatever the line holds; no line
 * as long as a host's string can be is beyond them but one of nothing but short strings. Does not:
 * look at what it cuts.
 */
export interface LongLine {
  add(part: Buffer): void;
  /** Null: more than can be held is left of it. */
  end(): Buffer | null;
}

/**
 * Names and ids are cut at 500 characters by whoever reads them; once much is kept, names that
 * nobody gives are cut too.
 */
const stringBytesMax = { first: 2_048, later: 512 };
const firstBytes = 8 * 1024 * 1024;
/** Of what is left; as text and parsed it takes some five times as much. */
const keptBytesMax = 32 * 1024 * 1024;
/**
 * Of members and elements. JSON of nothing but brackets takes twenty times its length once it is
 * parsed.
 */
const valuesMax = 2_000_000;

/**
 * `mark` stands behind the beginning of each string that was cut. Contract: it is ASCII, and nobody
 * could guess it.
 */
export function createLongLine(mark: string): LongLine {
  const kept = createKept();
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
 * Gives the strings that were cut their lengths back, in place. False when one of them stands in a
 * usage object, whose text tells records apart: such a line cannot be known again.
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
  /** It is a usage object, or stands in one. */
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

/** Blanks take no memory: the engine keeps a repeated text as a tree of its halves. */
function restored(text: string, mark: string): string | null {
  const at = text.indexOf(mark);
  return at < 0 ? null : text.slice(0, at) + ' '.repeat(Number(text.slice(at + mark.length)));
}

interface StringSoFar {
  readonly bytesMax: number;
  bytes: number;
  /** UTF-16 units of what it says. */
  units: number;
  /**
   * Bytes of an escape sequence that are still to come; behind a backslash it is not known how
   * many.
   */
  toCome: number;
  /** Where it can be cut: between two characters. */
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
/** Behind a backslash: the next byte says how many. */
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

/** Of a character of several bytes. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function createKept() {
  let buffer = Buffer.allocUnsafe(64 * 1024);
  let length = 0;
  let isOver = false;
  const put = (byte: number) => {
    if (length === buffer.length) grow();
    if (isOver) return;
    buffer[length] = byte;
    length += 1;
  };
  function grow(): void {
    if (buffer.length >= keptBytesMax) isOver = true;
    if (isOver) return;
    const larger = Buffer.allocUnsafe(Math.min(keptBytesMax, buffer.length * 2));
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
