/** The composition of a session's window and what each turn cost, thinned to some points. */
import type { ContextBands, ContextSeries, ContextSeriesPoint } from '@pi-ledger/contract/answers';
import type { SessionState } from '../../projections/session/document.ts';
import type { Searched } from '../compactions/read-rows.ts';
import type { SessionContext } from '../contexts/session-context.ts';
import { openSession } from '../sessions/open-session.ts';
import type { VisibleViews } from '../views/visible-views.ts';
import type { Composition } from './composition.ts';
import { keptIndexes } from './down-sample.ts';
import { createCostSums, sumOfCosts } from './point-costs.ts';
import type { Point } from './series.ts';

/** Throws `not_found`, and `bad_parameter` when several sessions match. */
export async function contextSeries(
  { contexts }: Searched,
  visible: VisibleViews,
  { session: text, points: pointsMax }: { readonly session: string; readonly points: number },
): Promise<ContextSeries> {
  const session = await openSession(visible, text);
  return seriesAnswer(await contexts.open(session), session.state, pointsMax);
}

export function seriesAnswer(
  context: SessionContext,
  state: SessionState,
  pointsMax: number,
): ContextSeries {
  const points = context.points();
  const kept = keptIndexes(points, pointsMax);
  const shown = kept.flatMap((index, place) => {
    const point = points[index];
    const covered = points.slice((kept[place - 1] ?? -1) + 1, index + 1);
    return point === undefined ? [] : pointOf(context, state, point, covered);
  });
  return {
    session: state.id,
    project: state.timeline.attributions.at(-1)?.facts.project.name || null,
    turns: points.filter(({ kind }) => kind === 'turn').length,
    points: shown,
    pointsInAll: points.length,
    byBilling: sumOfCosts(shown.map(({ byBilling }) => byBilling)),
    factsLeftOut: context.facts.left,
  };
}

function pointOf(
  context: SessionContext,
  state: SessionState,
  point: Point,
  covered: readonly Point[],
): ContextSeriesPoint {
  const { kind, turn, entryId, time, tokens, heldTokens, source, model, threshold } = point;
  const { freshTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = point;
  return {
    ...{ kind, turn, entryId, time, tokens, heldTokens, source },
    ...{ freshTokens, cacheReadTokens, cacheWriteTokens, outputTokens, model },
    windowTokens: threshold?.windowTokens ?? null,
    thresholdTokens: threshold?.thresholdTokens ?? null,
    bands: bandsOf(context.compositionAt(context.tree.node(entryId))),
    turnsCovered: covered.filter((each) => each.kind === 'turn').length,
    byBilling: costOf(context, state, covered),
  };
}

function costOf({ tree }: SessionContext, state: SessionState, points: readonly Point[]) {
  const sums = createCostSums(state);
  for (const { entryId } of points) {
    const node = tree.node(entryId);
    if (node !== null) sums.add(node.fact);
  }
  return sums.result();
}

const bandOf: Readonly<Record<Composition['parts'][number]['kind'], keyof ContextBands>> = {
  system: 'system',
  toolDefinitions: 'system',
  assistantText: 'answers',
  thinking: 'answers',
  toolCalls: 'answers',
  toolResults: 'toolResults',
  user: 'prompts',
  compactionSummary: 'prompts',
  branchSummary: 'prompts',
  images: 'prompts',
  other: 'prompts',
  unexplained: 'unexplained',
};

function bandsOf({ parts }: Composition): ContextBands {
  const bands = { system: 0, answers: 0, toolResults: 0, prompts: 0, unexplained: 0 };
  for (const { kind, tokens } of parts) bands[bandOf[kind]] += tokens;
  return bands;
}
