/** The lines of `/ledger` that only the collector can fill. */

import { recordsIn } from '../live/totals.ts';
import { grouped } from './amounts.ts';
import type { Overview, OverviewAnswer } from './asking/overview.ts';
import { spentText } from './spent.ts';

/** `asking`: the collector has not answered yet. */
export type AskState = OverviewAnswer | { readonly is: 'asking' };

/** Beside the session: in its own figure they would count twice. */
export function subagentLines(asked: AskState): readonly string[] {
  if (asked.is !== 'overview' || asked.overview.session === null) return [];
  const { isGrowing, session } = asked.overview;
  const { claimed, subagents, isAtLeast, subagentsSpent } = session;
  const sessions = `${isAtLeast ? '≥ ' : ''}${grouped(subagents)}`;
  return [
    ...(subagents === 0
      ? []
      : [
          `Subagents: ${sessions} with ${spentText(subagentsSpent, isGrowing)}, not in the session`,
        ]),
    ...(claimed === null || recordsIn(claimed) === 0
      ? []
      : [
          `Subagents that recorded nothing, by what tools say of them: ` +
            `${spentText(claimed, isGrowing)}, not in the session`,
        ]),
  ];
}

/** Null: not known. */
export function projectTodayText(asked: AskState): string | null {
  if (asked.is !== 'overview' || asked.overview.projectToday === null) return null;
  const { projectToday, isGrowing } = asked.overview;
  return spentText(projectToday, isGrowing);
}

export function todayLines(asked: AskState): readonly string[] {
  if (asked.is === 'asking') return ['Today, this month and subagents: asking the collector …'];
  if (asked.is === 'none') return [`Today, this month and subagents: not known: ${asked.why}`];
  const { overview } = asked;
  const { user, today, month, isGrowing } = overview;
  const whose = user === null ? '' : ` (${user})`;
  return [
    `Today, all projects${whose}: ${spentText(today, isGrowing)}`,
    `This month, all projects${whose}: ${spentText(month, isGrowing)}`,
    ...doubtLines(overview),
  ];
}

function doubtLines({ importing, isGrowing, session }: Overview): readonly string[] {
  if (importing !== null)
    return [
      `  … importing: ${grouped(importing.files)} of ${grouped(importing.filesToRead)} files; ` +
        'sums grow until then',
    ];
  return [
    ...(isGrowing ? ['  … the collector has not counted everything yet'] : []),
    ...(session === null
      ? ['  the collector does not know this session (yet), or the token may not see it']
      : []),
  ];
}
