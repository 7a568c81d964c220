/** The words around charts as lines of a picture: read from the page, broken at its width. */

/** `draw` begins at its own corner. */
export interface Line {
  readonly height: number;
  draw(pen: CanvasRenderingContext2D): void;
}

export interface Room {
  readonly pen: CanvasRenderingContext2D;
  readonly width: number;
}

export interface Lines {
  readonly head: readonly Line[];
  /** What is said above a chart, where its cursor is nowhere. */
  ofChart(figure: Element): readonly Line[];
  /** What the marks mean that stand in the others. */
  readonly foot: readonly Line[];
}

/** Words that stay together, after a swatch of the legend. */
interface Piece {
  readonly text: string;
  readonly swatch: Swatch | null;
}

interface Swatch {
  readonly fill: string;
  readonly stroke: string;
  readonly isHatched?: boolean;
}

interface Look {
  readonly font: string;
  readonly colour: string;
  readonly height: number;
}

const swatchPx = 9;
const swatchRoomPx = 14;
const gapPx = 16;

export function linesOf(section: Element, scope: string, room: Room): Lines {
  const looks = looksOf();
  const title = plain(section.querySelector('h2')?.textContent ?? '');
  const note = seenText(section.querySelector('.note'));
  const legends = [...section.querySelectorAll('.legend')].flatMap(piecesOf);
  const named = section.querySelector('.swatch') === null ? seriesPieces(section) : legends;
  return {
    foot: broken(['by pi-ledger', ...markWords(section)].map(bare), looks.small, room),
    head: [
      ...broken(words(title), looks.title, room),
      ...broken(words(note), looks.small, room),
      ...broken(words(scope), looks.small, room),
      ...broken(named, looks.small, room),
    ],
    ofChart: (figure) =>
      [...figure.querySelectorAll('.readout')].flatMap((readout) =>
        broken(piecesOf(readout), looks.small, room),
      ),
  };
}

function looksOf(): { readonly title: Look; readonly small: Look } {
  const { fontFamily, color } = getComputedStyle(document.body);
  const note = document.querySelector('.note') ?? document.body;
  const small = getComputedStyle(note).color;
  return {
    title: { font: `600 16px ${fontFamily}`, colour: color, height: 22 },
    small: { font: `12px ${fontFamily}`, colour: small, height: 18 },
  };
}

function words(text: string): readonly Piece[] {
  return text === '' ? [] : text.split(' ').map(bare);
}

function bare(text: string): Piece {
  return { text, swatch: null };
}

/** A readout's or a legend's parts; bare text between them is one, too. */
function piecesOf(line: Element): readonly Piece[] {
  return [...line.childNodes].flatMap((node): Piece[] => {
    const text = seenText(node);
    if (text === '') return [];
    const swatch = node instanceof Element ? node.querySelector('.swatch') : null;
    return [{ text, swatch: swatch === null ? null : swatchOf(swatch) }];
  });
}

/** `≥ at least`, of each mark that stands there. */
function markWords(section: Element): readonly string[] {
  const marks = [...section.querySelectorAll('.mark')].map(({ children: [sign, words] }) =>
    plain(`${sign?.textContent} ${words?.textContent}`),
  );
  return [...new Set(marks)];
}

/** Where a table beside the chart is the legend. */
function seriesPieces(section: Element): readonly Piece[] {
  return [...section.querySelectorAll('[data-name]')].map((series) => {
    const { fill } = getComputedStyle(series.querySelector('.solid') ?? series);
    const text = series.getAttribute('data-name') ?? '';
    return { text, swatch: { fill, stroke: fill } };
  });
}

function swatchOf(element: Element): Swatch {
  const style = getComputedStyle(element);
  const isHatched = style.backgroundImage !== 'none';
  const hasBorder = Number.parseFloat(style.borderTopWidth) > 0;
  const stroke = hasBorder ? style.borderTopColor : style.backgroundColor;
  return { fill: style.backgroundColor, stroke: isHatched ? style.color : stroke, isHatched };
}

/** Without what only screen readers are told, and what only a reader of the page can do. */
function seenText(node: Node | null): string {
  if (node === null) return '';
  const copy = node.cloneNode(true);
  if (copy instanceof Element)
    for (const each of copy.querySelectorAll('.unseen, .hint')) each.remove();
  return plain(copy.textContent ?? '');
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Words of a sentence stand a space apart, other pieces further. */
function broken(pieces: readonly Piece[], look: Look, { pen, width }: Room): readonly Line[] {
  pen.font = look.font;
  const rows: { piece: Piece; x: number }[][] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    const wide = pen.measureText(piece.text).width + (piece.swatch === null ? 0 : swatchRoomPx);
    if (end + wide > width) {
      rows.push([]);
      end = 0;
    }
    rows.at(-1)?.push({ piece, x: end });
    end += wide + (isWord(piece) ? pen.measureText(' ').width : gapPx);
  }
  return rows.map((row) => ({
    height: look.height,
    draw(on) {
      for (const { piece, x } of row) drawPiece(on, piece, x, look);
    },
  }));
}

function isWord({ text, swatch }: Piece): boolean {
  return swatch === null && !text.includes(' ');
}

function drawPiece(pen: CanvasRenderingContext2D, { text, swatch }: Piece, x: number, look: Look) {
  const middle = look.height / 2;
  if (swatch !== null) {
    pen.fillStyle = swatch.fill;
    pen.strokeStyle = swatch.stroke;
    pen.fillRect(x, middle - swatchPx / 2, swatchPx, swatchPx);
    pen.strokeRect(x + 0.5, middle - swatchPx / 2 + 0.5, swatchPx - 1, swatchPx - 1);
    if (swatch.isHatched) drawHatch(pen, x, middle - swatchPx / 2);
  }
  pen.font = look.font;
  pen.fillStyle = look.colour;
  pen.textBaseline = 'middle';
  pen.fillText(text, x + (swatch === null ? 0 : swatchRoomPx), middle);
}

function drawHatch(pen: CanvasRenderingContext2D, x: number, y: number): void {
  pen.beginPath();
  for (const share of [0.5, 1]) {
    pen.moveTo(x, y + swatchPx * share);
    pen.lineTo(x + swatchPx * share, y);
  }
  pen.moveTo(x + swatchPx / 2, y + swatchPx);
  pen.lineTo(x + swatchPx, y + swatchPx / 2);
  pen.stroke();
}
