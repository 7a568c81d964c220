/** The files that are made of the dashboards: JSON to import or provision, and drawings. */
import { pages } from './all.ts';
import { dashboardOf } from './kit/dashboard.ts';
import { infinityPlugin } from './kit/datasources.ts';
import { drawingOf } from './layout.ts';

export interface Made {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
}

/** Grafana says on import what is missing. Infinity needs 11.6. */
const requires = [
  { type: 'grafana', id: 'grafana', name: 'Grafana', version: '11.6.0' },
  { type: 'datasource', id: 'prometheus', name: 'Prometheus', version: '1.0.0' },
  { type: 'datasource', id: infinityPlugin, name: 'Infinity', version: '3.0.0' },
];

export function madeFiles(): readonly Made[] {
  return pages.flatMap((page) => {
    const dashboard = dashboardOf(page);
    return [
      {
        path: `dashboards/grafana/json/${page.name}.json`,
        text: `${JSON.stringify({ __requires: requires, ...dashboard }, null, 2)}\n`,
      },
      { path: `docs/dashboards/${page.name}.svg`, text: drawingOf(dashboard) },
    ];
  });
}
