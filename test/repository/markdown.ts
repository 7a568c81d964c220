/** Parts of Markdown pages that scripts write, between two comments. */

interface Part {
  readonly name: string;
  /** `npm run` writes the part by this name. */
  readonly script: string;
}

/** The page with that part's content in its place. Throws if the page has no place for it. */
export function withPart(text: string, { name, script }: Part, content: string): string {
  const begin = `<!-- ${name}: written by \`npm run ${script}\` -->\n`;
  const end = `<!-- end of ${name} -->`;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no place for ${name}`);
  return text.slice(0, from) + begin + content + text.slice(to);
}

/** Cells, with a first row of titles. */
export function table(rows: readonly (readonly string[])[]): string {
  const [titles = [], ...others] = rows;
  return [
    row(...titles),
    `|${'---|'.repeat(titles.length)}\n`,
    ...others.map((cells) => row(...cells)),
  ].join('');
}

export function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`.replaceAll('|  |', '| |').replaceAll('|  |', '| |');
}

export function code(text: string): string {
  return `\`${text}\``;
}
