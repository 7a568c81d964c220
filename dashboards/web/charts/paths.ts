/** One path for all marks of a series: as elements they would take five times as long to draw. */

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The boxes as one path, to the tenth of a pixel. Those without height are left out. */
export function boxesPath(boxes: readonly Box[]): string {
  return boxes
    .filter(({ height }) => height > 0)
    .map(({ x, y, width, height }) => `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z`)
    .join('');
}

/** Dots of radius `r` as one path. */
export function dotsPath(points: readonly { readonly x: number; readonly y: number }[], r: number) {
  return points
    .map(
      ({ x, y }) => `M${n(x - r)} ${n(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
    )
    .join('');
}

/** A line through the points. */
export function linePath(points: readonly { readonly x: number; readonly y: number }[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${n(x)} ${n(y)}`).join('');
}

function n(value: number): number {
  return Math.round(value * 10) / 10;
}
