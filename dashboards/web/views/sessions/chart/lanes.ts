/** What the session did, in lanes: a path for each look of each lane. Pure. */
import type { TimelineItem } from '@pi-ledger/contract/answers';
import { type Box, boxesPath } from '../../../charts/paths.ts';
import type { Span } from './spans.ts';
import type { TimeScale } from './time-scale.ts';

export const laneNames = ['prompts', 'model', 'tools', 'retries', 'subagents'] as const;
export const laneHeight = 18;

const looks = ['prompt', 's5', 's1', 's2', 's0', 'failed'] as const;
export type LaneLook = (typeof looks)[number];

export interface LanePath {
  readonly look: LaneLook;
  readonly path: string;
}

interface Mark {
  readonly look: LaneLook;
  readonly lane: (typeof laneNames)[number];
  /** In ms since 1970. */
  readonly from: number;
  readonly to: number;
}

const leastPx = 1.5;

export function lanePaths(spans: readonly Span[], scale: TimeScale): readonly LanePath[] {
  const boxes = new Map<LaneLook, Box[]>(looks.map((look) => [look, []]));
  for (const mark of spans.flatMap(marksOf)) boxes.get(mark.look)?.push(boxOf(mark, scale));
  return [...boxes].map(([look, some]) => ({ look, path: boxesPath(some) }));
}

/** All of a span, whatever its looks; null: it stands in no lane. */
export function laneBox(span: Span, scale: TimeScale): Box | null {
  const [mark] = marksOf(span);
  return mark === undefined ? null : boxOf({ ...mark, to: span.to }, scale);
}

function boxOf({ lane, from, to }: Mark, scale: TimeScale): Box {
  const [left, right] = [scale.x(from), scale.x(to)];
  const y = laneNames.indexOf(lane) * laneHeight + 4;
  const width = lane === 'prompts' ? 2 : Math.max(leastPx, right - left);
  return { x: left, y, width, height: laneHeight - 7 };
}

function marksOf({ item, from, to }: Span): readonly Mark[] {
  switch (item.kind) {
    case 'prompt':
      return [{ look: 'prompt', lane: 'prompts', from, to }];
    case 'turn':
      return turnMarks(item, from, to);
    case 'tool':
      return [{ look: item.failed ? 'failed' : 's2', lane: 'tools', from, to }];
    case 'retry':
      return [{ look: 's0', lane: 'retries', from, to }];
    case 'subagent':
      return [{ look: 's0', lane: 'subagents', from, to }];
    case 'merged':
      return mergedMarks(item, from, to);
    default:
      return [];
  }
}

/** Light until the first token; a failed attempt stands with the retries. */
function turnMarks({ failed, firstTokenMs }: TimelineItem, from: number, to: number): Mark[] {
  if (failed) return [{ look: 'failed', lane: 'retries', from, to }];
  const first = Math.min(to, from + (firstTokenMs ?? 0));
  return [
    ...(first > from ? [{ look: 's5', lane: 'model', from, to: first } as const] : []),
    { look: 's1', lane: 'model', from: first, to },
  ];
}

function mergedMarks({ merged }: TimelineItem, from: number, to: number): Mark[] {
  if (merged === null) return [];
  const marks: readonly (readonly [number, Mark['look'], Mark['lane']])[] = [
    [merged.prompts, 'prompt', 'prompts'],
    [merged.turns - merged.failedTurns, 's1', 'model'],
    [merged.tools, 's2', 'tools'],
    [merged.retries, 's0', 'retries'],
    [merged.failedTurns, 'failed', 'retries'],
    [merged.subagents, 's0', 'subagents'],
  ];
  return marks.flatMap(([count, look, lane]) => (count > 0 ? [{ look, lane, from, to }] : []));
}
