/**
 * Draws `docs/report.svg`, the picture in the README, from what `pi-ledger report` really prints
 * for the demo month: `npm run picture`. A test compares the two.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../../collector/cli/main.ts';
import type { Screen } from '../../collector/cli/output/screen.ts';

export const picturePath = fileURLToPath(new URL('../../docs/report.svg', import.meta.url));

const columns = 112;
const characterWidth = 8.43;
const lineHeight = 20;
const margin = 24;
const fonts = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

export async function drawPicture(): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'pi-ledger-picture-'));
  try {
    const store = join(home, 'ledger.db');
    await run(['demo', '--data-only', store, '--until', '2026-11-20'], home);
    const lines = [
      '$ pi-ledger report',
      ...(await run(['report'], home)),
      '',
      '$ pi-ledger report --by model --since 2026-11-14',
      ...(await run(['report', '--by', 'model', '--since', '2026-11-14'], home)),
    ];
    return render(lines);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function run(argv: readonly string[], home: string): Promise<string[]> {
  const lines: string[] = [];
  const screen: Screen = {
    env: { PI_LEDGER_HOME: home },
    columns,
    colour: false,
    now: () => new Date('2026-11-20T12:00:00Z'),
    print: (line) => lines.push(...line.split('\n')),
    complain: (line) => {
      throw new Error(line);
    },
  };
  const code = await main(argv, screen);
  if (code !== 0) {
    throw new Error(`pi-ledger ${argv.join(' ')} ended with ${code}`);
  }
  return lines;
}

function render(lines: readonly string[]): string {
  const width = Math.round(columns * characterWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const texts = lines.map((line, index) => {
    const colour = line.startsWith('$')
      ? '#7ee787'
      : /^(total|─)/.test(line)
        ? '#ffffff'
        : '#c9d1d9';
    const place = `x="${margin}" y="${margin + 14 + index * lineHeight}"`;
    const text = escapeXml(line);
    return `  <text ${place} fill="${colour}" xml:space="preserve">${text}</text>`;
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" font-family="${fonts}" font-size="14">`,
    '  <title>pi-ledger report, on made-up data</title>',
    `  <rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>`,
    ...texts,
    '</svg>',
  ].join('\n')}\n`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(picturePath, await drawPicture());
}
