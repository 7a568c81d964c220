/**
 * Compares the views with the log: by session, by kind over all sessions, and in the totals of
 * reports. Pure.
 */
import { isExact } from './claim-book.ts';
import { countedByKind, totalIn } from './counted.ts';
import { type Difference, difference } from './difference.ts';
import { addFigures, type Figures, figuresOfKind, noFigures, sameFigures } from './figures.ts';
import { figuresText } from './figures-text.ts';
import type { Findings } from './findings.ts';
import type { LogFacts, LogSession } from './log-facts.ts';
import type { ViewFacts } from './view-facts.ts';

/**
 * Returns differences of no single session: kinds and reports with wrong sums although every
 * session is right, else rows that two rollups say differently.
 */
export function judgeViews(
  log: LogFacts,
  views: ViewFacts,
  findings: Findings,
): readonly Difference[] {
  const expected = new Map<string, Figures>();
  let wrong = 0;
  for (const sessionId of new Set([...log.sessions.keys(), ...views.bySession.keys()])) {
    const session = log.sessions.get(sessionId);
    const byKind =
      session === undefined
        ? new Map<string, Figures>()
        : countedByKind(session.sums, session.book);
    const inLog = totalIn(byKind);
    const inViews = views.bySession.get(sessionId);
    if (views.ignored.has(sessionId) && inViews === undefined && inLog.records > 0n) {
      findings.add(sessionId, difference('ignored_project', Number(inLog.records)));
      continue;
    }
    for (const [kind, figures] of byKind) addFigures(figuresOfKind(expected, kind), figures);
    const found = findDifference(session, inLog, inViews ?? noFigures());
    if (found === null) continue;
    wrong += 1;
    findings.add(sessionId, found);
  }
  if (wrong > 0) return [];
  const sums = [
    ...wrongKinds(expected, views.byKind),
    ...wrongReports(totalIn(expected), views.reports),
  ];
  return sums.length > 0 ? sums : wrongRows(views.unequalRows);
}

/** With very many claims in a session, the views only compare sums. */
function findDifference(
  session: LogSession | undefined,
  inLog: Figures,
  inViews: Figures,
): Difference | null {
  if (sameFigures(inLog, inViews)) return null;
  const reason = session === undefined || isExact(session.book) ? 'view_differs' : 'subagent_claim';
  return difference(reason, 1, { inLog: figuresText(inLog), inViews: figuresText(inViews) });
}

function wrongKinds(
  expected: ReadonlyMap<string, Figures>,
  inViews: ReadonlyMap<string, Figures>,
): readonly Difference[] {
  return [...new Set([...expected.keys(), ...inViews.keys()])].flatMap((kind) => {
    const [log, view] = [expected.get(kind) ?? noFigures(), inViews.get(kind) ?? noFigures()];
    if (sameFigures(log, view)) return [];
    return [
      difference('view_differs', 1, { kind, inLog: figuresText(log), inViews: figuresText(view) }),
    ];
  });
}

function wrongReports(expected: Figures, reports: ViewFacts['reports']): readonly Difference[] {
  return [...reports].flatMap(([report, total]) => {
    if (sameFigures(expected, total)) return [];
    return [
      difference('view_differs', 1, {
        inLog: figuresText(expected),
        inViews: `${report}: ${figuresText(total)}`,
      }),
    ];
  });
}

/** The most unequal rows to list; a damaged rollup may have thousands. */
const rowsMax = 20;

function wrongRows(rows: ViewFacts['unequalRows']): readonly Difference[] {
  return rows.slice(0, rowsMax).map(({ report, name, quick, exact }) =>
    difference('view_differs', 1, {
      inViews: `${report} ${name}: ${quick ?? 'nothing'}; by the hour: ${exact ?? 'nothing'}`,
    }),
  );
}
