/** A drawing of a dashboard's layout, made from its JSON: boxes with titles, by the grid. */
import type { Dashboard, Panel, RowPanel } from '@grafana/grafana-foundation-sdk/dashboard';

const columnPx = 40;
const rowPx = 13;
const gapPx = 8;
const textPx = 13;
/** Wide enough for the letters of any font without measuring. */
const letterPx = 7.4;

/** Any viewer's theme: ink on a light ground of its own. */
const style = [
  'text { font: 13px system-ui, sans-serif; fill: #15191e }',
  '.kind { font-size: 11px; fill: #626b76 }',
  '.head { font-weight: 600; font-size: 14px }',
  '.panel { fill: #f6f7f8; stroke: #c3c9d0 }',
  '.ground { fill: #ffffff }',
].join(' ');

type Drawn = Panel | RowPanel;

export function drawingOf({ title = '', panels = [] }: Dashboard): string {
  const bottom = Math.max(...panels.map(({ gridPos }) => (gridPos?.y ?? 0) + (gridPos?.h ?? 0)));
  const width = 24 * columnPx + gapPx;
  const height = bottom * rowPx + gapPx + 34;
  const boxes = panels.map((panel) => (isHead(panel) ? headOf(panel) : boxOf(panel)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(`Layout of the dashboard ${title}`)}</title>`,
    `<style>${style}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<text class="head" x="${gapPx}" y="22">${escaped(title)}</text>`,
    ...boxes,
    '</svg>',
    '',
  ].join('\n');
}

function isHead(panel: Drawn): panel is RowPanel {
  return panel.type === 'row';
}

function placeOf({ gridPos }: Drawn) {
  const { x = 0, y = 0, w = 0, h = 0 } = gridPos ?? {};
  return {
    x: x * columnPx + gapPx,
    y: y * rowPx + 34,
    width: w * columnPx - gapPx,
    height: h * rowPx - gapPx,
  };
}

function headOf(panel: RowPanel): string {
  const { x, y } = placeOf(panel);
  return `<text class="head" x="${x}" y="${y + 8}">${escaped(panel.title ?? '')}</text>`;
}

function boxOf(panel: Panel): string {
  const { x, y, width, height } = placeOf(panel);
  const lines = wrapped(panel.title ?? '', Math.floor((width - 12) / letterPx));
  const texts = lines.map(
    (line, index) => `<text x="${x + 6}" y="${y + 15 + index * textPx}">${escaped(line)}</text>`,
  );
  const kindY = y + height - 6;
  return [
    `<rect class="panel" x="${x}" y="${y}" width="${width}" height="${height}"/>`,
    ...texts,
    `<text class="kind" x="${x + 6}" y="${kindY}">${kindOf(panel)}</text>`,
  ].join('\n');
}

const kinds: Readonly<Record<string, string>> = { stat: 'figure', timeseries: 'over time' };

function kindOf({ type, datasource }: Panel): string {
  const source = datasource?.type === 'prometheus' ? 'Prometheus' : 'the API';
  return `${kinds[type] ?? type}, from ${source}`;
}

function wrapped(text: string, lettersMax: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? word : `${last} ${word}`;
    if (longer.length > lettersMax && last !== '') lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
