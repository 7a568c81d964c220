/** The committed dashboards: made of the code, whole, and without sums of unlike money. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { madeFiles } from '../../dashboards/grafana/files.ts';
import { ledger, prometheus } from '../../dashboards/grafana/kit/datasources.ts';
import { billingIsApart } from './support/billing.ts';
import { type DrawnPanel, dashboards, panelsOf, queriesOf, root } from './support/pages.ts';

it.each(madeFiles())('$path is what `npm run dashboards` writes', ({ path, text }) => {
  expect(existsSync(`${root}/${path}`)).toBe(true);
  expect(readFileSync(`${root}/${path}`, 'utf8')).toBe(text);
});

it('are found by their uid, which is each its own', () => {
  const uids = dashboards.map(({ uid }) => uid);
  expect(new Set(uids).size).toBe(uids.length);
  expect(uids).toContain('pi-ledger-overview');
  expect(dashboards.every(({ schemaVersion }) => schemaVersion === 42)).toBe(true);
});

it('are six, with more than 60 panels', () => {
  expect(dashboards.map(({ uid }) => uid.replace('pi-ledger-', ''))).toEqual([
    ...['compactions', 'context', 'health', 'models', 'overview', 'project'],
  ]);
  expect(dashboards.flatMap(panelsOf).length).toBeGreaterThanOrEqual(60);
});

describe.each(dashboards)('$title', (dashboard) => {
  const panels = panelsOf(dashboard);
  const { text } = dashboard;

  it('has panels with a title of their own that say what they show and what is left out', () => {
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    for (const { title, description = '' } of panels) {
      expect(title).not.toBe('');
      expect(description, title).toMatch(/^.{20,}\n\nLeft out: .+\n\n(Live|Exact), from .+/s);
    }
  });

  it('says something where there is no data', () => {
    const silent = panels.filter(({ fieldConfig }) => !fieldConfig?.defaults.noValue);
    expect(silent.map(({ title }) => title)).toEqual([]);
  });

  it('has a unit for every figure', () => {
    const bare = panels.filter(
      ({ type, fieldConfig, targets = [] }) =>
        type !== 'table' &&
        fieldConfig?.defaults.unit === undefined &&
        targets.some(({ columns }) => columns?.every((each) => each.type === 'string') !== true),
    );
    expect(bare.map(({ title }) => title)).toEqual([]);
  });

  it('has no panel upon another, and none beyond the 24 columns', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    for (const one of dashboard.panels) {
      expect(one.gridPos.x + one.gridPos.w).toBeLessThanOrEqual(24);
      const others = dashboard.panels.filter((other) => other !== one && overlap(one, other));
      expect(others.map(({ title }) => title)).toEqual([]);
    }
  });

  it('has queries for each panel, all of the datasource that is chosen above', () => {
    const chosen = new Set([prometheus.uid, ledger.uid]);
    for (const { title, datasource, targets = [] } of panels) {
      expect(targets, title).not.toEqual([]);
      for (const target of targets) expect(target.datasource).toEqual(datasource);
      expect(chosen.has(datasource?.uid ?? ''), title).toBe(true);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    }
    const names = dashboard.templating.list.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['prometheus', 'ledger', 'collector']));
  });

  it('uses no variable that it has not', () => {
    const names = new Set(dashboard.templating.list.map(({ name }) => name));
    const used = [...text.matchAll(/\$\{(\w+)[:}]|=~\\"\$(\w+)\\"|[["]\$(\w+)["\]]/g)]
      .map(([, braced, matched, window]) => braced ?? matched ?? window ?? '')
      .filter((name) => !name.startsWith('__'));
    expect(used.filter((name) => !names.has(name))).toEqual([]);
  });

  it('keeps kinds of billing apart in every query', () => {
    const mixed = queriesOf(dashboard).filter(({ expr }) => !billingIsApart(expr));
    expect(mixed).toEqual([]);
  });

  it('stacks no kind of billing upon another', () => {
    for (const { title, fieldConfig, targets = [] } of panels) {
      const kinds = new Map<string, Set<string>>();
      for (const { refId, expr = '' } of targets) {
        const billing = /pi_billing="(\w+)"/.exec(expr)?.[1];
        const stack = stackOf(fieldConfig, refId);
        if (billing !== undefined)
          kinds.set(stack, new Set([...(kinds.get(stack) ?? []), billing]));
      }
      expect(
        [...kinds.values()].filter(({ size }) => size > 1),
        title,
      ).toEqual([]);
    }
  });

  it('matches no bounds of buckets, and no label that differs by the way samples came', () => {
    const wrong = /\ble\s*(=|!)|otel_scope_|service_name/;
    expect(queriesOf(dashboard).filter(({ expr }) => wrong.test(expr))).toEqual([]);
  });

  it('links to the others with what is chosen, and has no address or token of its own', () => {
    expect(dashboard.links[0]).toMatchObject({ title: 'pi-ledger', includeVars: true });
    const urls = panels.flatMap(({ targets = [] }) => targets.flatMap(({ url }) => url ?? []));
    expect(urls.filter((url) => !/^\/(v1|health)\//.test(url))).toEqual([]);
    expect(text).not.toMatch(/[?&]token=|[Bb]earer|[Aa]uthorization/);
  });
});

function stackOf(config: DrawnPanel['fieldConfig'], refId: string): string {
  const own = config?.overrides
    .filter(({ matcher }) => matcher.options === refId)
    .flatMap(({ properties }) => properties)
    .find(({ id }) => id === 'custom.stacking');
  return JSON.stringify(own?.value ?? 'default');
}

function overlap({ gridPos: one }: DrawnPanel, { gridPos: other }: DrawnPanel): boolean {
  return (
    one.x < other.x + other.w &&
    other.x < one.x + one.w &&
    one.y < other.y + other.h &&
    other.y < one.y + one.h
  );
}
