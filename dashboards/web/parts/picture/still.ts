/** A chart as an image: what its classes look like now is written into its elements. */

/** A part of the picture; `draw` begins at its own corner. */
export interface Still {
  readonly svg: Element;
  readonly width: number;
  readonly height: number;
  draw(pen: CanvasRenderingContext2D): void;
}

/** Labels may hang over an edge. */
export const besidePx = 24;

/** Attributes, since the page's policy allows no styles in elements. */
const looks = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'paint-order',
  'shape-rendering',
  'font-family',
  'font-size',
  'font-weight',
] as const;

export async function stillOf(svg: Element): Promise<Still> {
  const { width, height } = svg.getBoundingClientRect();
  const wide = width + 2 * besidePx;
  const copy = copyOf(svg);
  copy.setAttribute('viewBox', `${-besidePx} 0 ${wide} ${height}`);
  copy.setAttribute('width', String(wide));
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(textOf(copy, svg))}`;
  await image.decode();
  return { svg, width, height, draw: (pen) => pen.drawImage(image, -besidePx, 0, wide, height) };
}

function textOf(copy: Element, svg: Element): string {
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const patterns = [...document.querySelectorAll('svg pattern')].filter(
    (pattern) => !svg.contains(pattern),
  );
  copy.prepend(...patterns.map(copyOf));
  return new XMLSerializer().serializeToString(copy);
}

function copyOf(element: Element): Element {
  const copy = element.cloneNode(true) as Element;
  const copies = [copy, ...copy.querySelectorAll('*')];
  for (const [index, each] of [element, ...element.querySelectorAll('*')].entries())
    dress(copies[index], getComputedStyle(each));
  return copy;
}

function dress(copy: Element | undefined, style: CSSStyleDeclaration): void {
  for (const look of looks) {
    const value = style.getPropertyValue(look);
    // A pattern is named by where it stands: here.
    if (value !== '') copy?.setAttribute(look, value.replace(/^url\(.*(#[^")]+)"?\)/, 'url($1)'));
  }
  copy?.removeAttribute('class');
}
