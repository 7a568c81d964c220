/** Why figures may lack something, in the words of the status line. Pure. */
import type { Standing } from '@pi-ledger/contract/answers';
import { formatCount } from '../format/count.ts';

/** The gravest first. */
export function standingWords({ trouble, problem, views, importing, leftOut }: Standing): string {
  if (trouble !== null) return `no events are accepted: ${trouble}`;
  if (problem !== null) return `views do not advance: ${problem}`;
  const setAside = Math.max(0, ...views.map((view) => view.setAside));
  if (setAside > 0) return `events set aside are in no figure: see Health`;
  if (importing !== null)
    return (
      `import${importing.isRunning ? '' : ' interrupted'}: ` +
      `${formatCount(importing.files)} of ${formatCount(importing.filesToRead)} files`
    );
  if (leftOut.count > 0) return 'lines not read may hold spend: see Health';
  const behind = views.filter(({ isBehind }) => isBehind).map(({ projection }) => projection);
  return behind.length > 0 ? `catching up: ${behind.join(', ')}` : 'views are up to date';
}
