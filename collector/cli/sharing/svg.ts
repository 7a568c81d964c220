/** The chart as SVG, styled by classes; no text in it comes from a name. */
import type { Bar, Plot } from './chart.ts';

export function svgOf(plot: Plot, { hasBelow }: { readonly hasBelow: boolean }): string {
  const { width, height, left, zeroY } = plot;
  const lines = plot.lines.map(({ y, label }) => {
    const at = Math.round(y) + 0.5;
    return (
      `<path class="line" d="M${left} ${at}H${width}"/>` +
      `<text x="${left - 8}" y="${at + 4}" text-anchor="end">${label}</text>`
    );
  });
  const days = plot.days.map(
    ({ x, label }) =>
      `<text x="${short(x)}" y="${height - 6}" text-anchor="middle">${label}</text>`,
  );
  const below =
    `<text class="halo" x="${width}" y="${height - 28}" text-anchor="end">` +
    'subscription, list price</text>';
  const said = hasBelow ? 'metered above the line, subscription below it' : 'metered';
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Spend per day: ${said}">
${lines.join('\n')}
<path class="solid" d="${pathOf(plot.above)}"/>
<path class="pale" d="${pathOf(plot.below)}"/>
<path class="axis" d="M${left} ${zeroY + 0.5}H${width}"/>
<text x="${left}" y="14">metered</text>
${hasBelow ? below : ''}
${days.join('\n')}
</svg>`;
}

/** One path for a series: a browser takes as long for one bar as for a thousand. */
function pathOf(bars: readonly Bar[]): string {
  return bars
    .filter(({ height }) => height > 0)
    .map(({ x, y, width, height }) => {
      const [high, wide] = [short(Math.max(height, 1)), short(width)];
      return `M${short(x)} ${short(y)}h${wide}v${high}h-${wide}z`;
    })
    .join('');
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}
