/** A small, strict parser of RFC 4180, which takes line feeds alone as well. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) throw new Error('not RFC 4180');
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== ',') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
