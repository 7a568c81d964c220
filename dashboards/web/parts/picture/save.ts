/**
 * A section's charts as a PNG file: its title, what it is of, its legend, the lines above the
 * charts, and the charts, as they are seen. Drawn by the browser alone: fonts and scripts are those
 * of the reader, and nothing leaves the page.
 */
import { saveFile } from '../save-file.ts';
import { type Line, linesOf } from './lines.ts';
import { besidePx as paddingPx, type Still, stillOf } from './still.ts';

const gapPx = 4;
/** Pixels of the picture for one of the page. */
const scale = 2;

/** Fails, in words for the reader. */
export async function savePicture(section: Element, scope: string): Promise<void> {
  saveFile(await pictureOf(section, scope), section, 'png');
}

async function pictureOf(section: Element, scope: string): Promise<Blob> {
  const stills = await Promise.all(
    [...section.querySelectorAll('.chart svg:not(.minimap svg)')].map(stillOf),
  );
  if (stills.length === 0) throw new Error('there is no chart yet');
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('the browser draws no pictures');
  const width = Math.max(...stills.map((still) => still.width));
  const parts = partsOf(section, scope, { pen, width, stills });
  const height = parts.reduce((sum, part) => sum + part.height + gapPx, -gapPx);
  canvas.width = (width + 2 * paddingPx) * scale;
  canvas.height = (height + 2 * paddingPx) * scale;
  pen.scale(scale, scale);
  pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.translate(paddingPx, paddingPx);
  for (const part of parts) {
    part.draw(pen);
    pen.translate(0, part.height + gapPx);
  }
  return blobOf(canvas);
}

type Part = Line | Still;

interface Drawing {
  readonly pen: CanvasRenderingContext2D;
  readonly width: number;
  readonly stills: readonly Still[];
}

/** From top to bottom; a line stands above the chart that it is said of. */
function partsOf(section: Element, scope: string, { stills, ...room }: Drawing): readonly Part[] {
  const above = linesOf(section, scope, room);
  const parts: Part[] = [...above.head];
  for (const still of stills) {
    const figure = still.svg.closest('.chart');
    const isFirst = figure?.querySelector('svg') === still.svg;
    if (figure !== null && isFirst) parts.push(...above.ofChart(figure));
    parts.push(still);
  }
  parts.push(...above.foot);
  return parts;
}

function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the picture is too large'));
      else resolve(blob);
    }, 'image/png');
  });
}
