/** A dashboard of sections: each a head and panels, which fill the 24 columns from the left. */
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  type GridPos,
  type Panel,
  RowBuilder,
  type RowPanel,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { linksBetween, type View } from './links.ts';
import type { Sized } from './panel.ts';
import { type Variable, variablesOf } from './variables.ts';

interface Section {
  readonly title: string;
  readonly panels: readonly Sized[];
}

export interface Page {
  /** Part of the uid, and the name of the file: `overview`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly variables: readonly Variable[];
  readonly from: string;
  /** This view of the built-in page shows the same. */
  readonly page: View;
  readonly sections: readonly Section[];
}

const columns = 24;

function uidOf(name: string): string {
  return `pi-ledger-${name}`;
}

export function dashboardOf(page: Page): Dashboard {
  const built = new DashboardBuilder(`pi-ledger: ${page.title}`)
    .uid(uidOf(page.name))
    .description(page.description)
    .tags(['pi-ledger'])
    .timezone('browser')
    .time({ from: page.from, to: 'now' })
    .refresh('1m')
    .tooltip(DashboardCursorSync.Crosshair)
    .variables(variablesOf(page.variables))
    .links(linksBetween(page.page))
    .build();
  return { ...built, id: null, panels: panelsOf(page.sections) };
}

function panelsOf(sections: readonly Section[]): (Panel | RowPanel)[] {
  const panels: (Panel | RowPanel)[] = [];
  let y = 0;
  for (const { title, panels: inSection } of sections) {
    panels.push(head(panels.length + 1, title, y));
    const placed = places(inSection, y + 1);
    for (const { panel, place } of placed) panels.push(panel.at(panels.length + 1, place));
    y = Math.max(...placed.map(({ place }) => place.y + place.h));
  }
  return panels;
}

function head(id: number, title: string, y: number): RowPanel {
  return new RowBuilder(title).id(id).gridPos({ x: 0, y, w: columns, h: 1 }).build();
}

function places(panels: readonly Sized[], top: number) {
  let [x, y, tallest] = [0, top, 0];
  return panels.map((panel) => {
    if (x + panel.width > columns) [x, y, tallest] = [0, y + tallest, 0];
    const place: GridPos = { x, y, w: panel.width, h: panel.height };
    x += panel.width;
    tallest = Math.max(tallest, panel.height);
    return { panel, place };
  });
}
