/**
 * Parses git's configuration the way git does (config.c): quotes, escapes, comments, continuation
 * lines, sections with and without subsections. Single pass.
 *
 * Does not follow `include` or apply `insteadOf`. If git would reject the file, everything before
 * the damage still counts.
 */

export interface ConfigEntry {
  /** `section.subsection.variable`; the subsection keeps its case, the rest is lower case. */
  readonly key: string;
  /** It is null for a variable without a value, which git treats as true. */
  readonly value: string | null;
}

export function parseGitConfig(text: string): readonly ConfigEntry[] {
  const source = createSource(text);
  const entries: ConfigEntry[] = [];
  for (let section: string | null = ''; section !== null; ) {
    skipBlanksAndComments(source);
    const char = source.next();
    if (char === '[') {
      section = readSection(source);
      continue;
    }
    const entry = isLetter(char) ? readEntry(source, section, char) : null;
    if (entry === null) break; // the end, or damage
    entries.push(entry);
  }
  return entries;
}

interface Source {
  /** Consumes and returns the next character; empty at the end. Every line ending reads as LF. */
  next(): string;
  /** Puts the last character back. */
  back(): void;
}

function createSource(text: string): Source {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let before = at;
  return {
    next() {
      before = at;
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
      const char = text[at] ?? '';
      at += 1;
      return char;
    },
    back() {
      at = before;
    },
  };
}

function skipBlanksAndComments(source: Source): void {
  for (;;) {
    const char = source.next();
    if (isCommentMark(char)) skipLine(source);
    else if (!isBlank(char)) break;
  }
  source.back();
}

/** After `[`. Null for damage. `[remote.origin]` is an old spelling, all lower case. */
function readSection(source: Source): string | null {
  let name = '';
  for (;;) {
    const char = source.next();
    if (char === ']') return name === '' ? null : name;
    if (isBlank(char)) return readSubsection(source, name);
    if (!isKeyCharacter(char) && char !== '.') return null;
    name += char.toLowerCase();
  }
}

/** After the blank that follows the section's name: `"subsection"]`. */
function readSubsection(source: Source, section: string): string | null {
  let char = source.next();
  while (isBlank(char)) char = source.next();
  if (char !== '"') return null;
  let name = '';
  for (;;) {
    char = source.next();
    if (char === '"') return source.next() === ']' ? `${section}.${name}` : null;
    if (char === '\\') char = source.next();
    if (char === '' || char === '\n') return null;
    name += char;
  }
}

function readEntry(source: Source, section: string, first: string): ConfigEntry | null {
  let name = first.toLowerCase();
  let char = source.next();
  while (isKeyCharacter(char)) {
    name += char.toLowerCase();
    char = source.next();
  }
  while (char === ' ' || char === '\t') char = source.next();
  const key = section === '' ? name : `${section}.${name}`;
  if (char === '' || char === '\n') return { key, value: null };
  const value = char === '=' ? readValue(source) : null;
  return value === null ? null : { key, value };
}

/** Returns null for damage. */
function readValue(source: Source): string | null {
  const value = createValue();
  let isQuoted = false;
  for (let char = source.next(); char !== '' && char !== '\n'; char = source.next()) {
    if (char === '"') isQuoted = !isQuoted;
    if (!isQuoted && isCommentMark(char)) {
      skipLine(source);
      break;
    }
    if (!takeCharacter(value, char, isQuoted, source)) return null;
  }
  return isQuoted ? null : value.text();
}

/** False for damage. */
function takeCharacter(
  value: ReturnType<typeof createValue>,
  char: string,
  isQuoted: boolean,
  source: Source,
): boolean {
  if (isBlank(char) && !isQuoted) {
    value.blank(char);
    return true;
  }
  const meant = char === '"' ? '' : char === '\\' ? escaped(source.next()) : char;
  if (meant !== null) value.solid(meant);
  return meant !== null;
}

/** Trims unquoted blanks at both ends. */
function createValue() {
  const parts: string[] = [];
  let kept = 0;
  return {
    blank: (char: string) => void (parts.length > 0 && parts.push(char)),
    solid(char: string) {
      if (char !== '') parts.push(char);
      kept = parts.length;
    },
    text: () => parts.slice(0, kept).join(''),
  };
}

function skipLine(source: Source): void {
  for (let char = source.next(); char !== '' && char !== '\n'; ) char = source.next();
}

/** The character that an escape stands for; at the end of a line, the line continues. */
function escaped(char: string): string | null {
  switch (char) {
    case '':
    case '\n':
      return '';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'n':
      return '\n';
    case '\\':
    case '"':
      return char;
    default:
      return null;
  }
}

const isCommentMark = (char: string): boolean => char === '#' || char === ';';
const isLetter = (char: string): boolean => /^[A-Za-z]$/.test(char);
const isKeyCharacter = (char: string): boolean => /^[A-Za-z0-9-]$/.test(char);
const isBlank = (char: string): boolean =>
  char === ' ' || char === '\t' || char === '\r' || char === '\n';
