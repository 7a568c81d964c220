/** The committed dashboards, as Grafana reads them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Target {
  readonly refId: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly expr?: string;
  readonly url?: string;
  readonly root_selector?: string;
  readonly columns?: readonly { readonly selector: string; readonly type: string }[];
}

interface Override {
  readonly matcher: { readonly id: string; readonly options: string };
  readonly properties: readonly { readonly id: string; readonly value: unknown }[];
}

export interface DrawnPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly targets?: readonly Target[];
  readonly links?: readonly { readonly title: string; readonly url: string }[];
  readonly fieldConfig?: {
    readonly defaults: { readonly noValue?: string; readonly unit?: string };
    readonly overrides: readonly Override[];
  };
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly DrawnPanel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: unknown }[];
  };
  readonly links: readonly { readonly title: string; readonly includeVars: boolean }[];
}

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = `${root}/dashboards/grafana/json`;

export const dashboards: readonly (Dashboard & { readonly text: string })[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => {
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    return { ...JSON.parse(text), text };
  });

/** Panels without the heads of sections. */
export function panelsOf(dashboard: Dashboard): readonly DrawnPanel[] {
  return dashboard.panels.filter(({ type }) => type !== 'row');
}

/** Every PromQL query, with where it stands. */
export function queriesOf(dashboard: Dashboard): readonly { place: string; expr: string }[] {
  return panelsOf(dashboard).flatMap(({ title, targets = [] }) =>
    targets.flatMap(({ refId, expr }) =>
      expr === undefined ? [] : [{ place: `${dashboard.uid}: ${title} ${refId}`, expr }],
    ),
  );
}
