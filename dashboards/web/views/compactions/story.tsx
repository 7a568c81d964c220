/** One compaction in full: what it made room for, what it cost, what it dropped and kept. */

import type { CompactionDetails } from '@pi-ledger/contract/answers';
import type { ComponentChildren, JSX } from 'preact';
import { formatCount } from '../../format/count.ts';
import { shortId } from '../../format/session.ts';
import { formatDuration } from '../../format/time.ts';
import { Link } from '../../parts/link.tsx';
import { Marked, NotKnown } from '../../parts/marks.tsx';
import { Name, visible } from '../../parts/name.tsx';
import { Held } from '../../parts/section.tsx';
import { useAnswer } from '../../state/page.ts';
import { compactionAsk } from './asks.ts';
import { Dropped } from './dropped.tsx';
import { Equation } from './equation.tsx';

export function Story({ id }: { id: string }): JSX.Element {
  return (
    <Held of={useAnswer(compactionAsk(id))}>
      {(row) => (
        <div class="compaction-story">
          {row.kind === 'compaction' && <Equation row={row} />}
          <div class="grid">
            <div class="w6">
              <Dropped row={row} />
            </div>
            <div class="w6">
              <h3>Kept and after</h3>
              <dl class="facts">
                <Facts row={row} />
              </dl>
              <Texts row={row} />
            </div>
          </div>
        </div>
      )}
    </Held>
  );
}

function Facts({ row }: { row: CompactionDetails }): JSX.Element {
  const { thresholdTokens, tokensBefore, tokensAfterMeasured, keptTokens, keptMessages } = row;
  const held =
    thresholdTokens === null
      ? 'Held before'
      : `Held before; the threshold was ${formatCount(thresholdTokens)}`;
  return (
    <>
      <Fact words={held}>{orNotKnown(tokensBefore)}</Fact>
      <Fact words={keptMessages === null ? 'Kept' : `Kept: ${entries(keptMessages)}`}>
        {keptTokens === null ? (
          <NotKnown />
        ) : (
          <Marked mark="estimated">{formatCount(keptTokens)}</Marked>
        )}
      </Fact>
      <Fact words="Sent by the next answer, as measured">{orNotKnown(tokensAfterMeasured)}</Fact>
      <Fact words="Trigger, took, by">
        {row.trigger ?? <NotKnown />},{' '}
        {row.durationMs === null ? <NotKnown /> : formatDuration(row.durationMs)},{' '}
        {row.by ?? <NotKnown />}
      </Fact>
      <Fact words="Model">
        <Name of={row.model} />
      </Fact>
      <Fact words="Session, turns before and after">
        <Link view="sessions" id={row.session} class="link mono">
          {shortId(row.session)}
        </Link>
        , {orNotKnown(row.turnsBefore)} and {orNotKnown(row.turnsAfter)}
      </Fact>
    </>
  );
}

function Fact({ words, children }: { words: string; children: ComponentChildren }): JSX.Element {
  return (
    <>
      <dt>{words}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Only where the recording machine sends them. */
function Texts({ row: { summary, instructions } }: { row: CompactionDetails }): JSX.Element {
  if (summary === null && instructions === null)
    return <p class="note">Texts: not recorded (the setting auditContent).</p>;
  return (
    <>
      <Text title="Instructions" content={instructions} />
      <Text title="Summary" content={summary} />
    </>
  );
}

function Text(props: { title: string; content: CompactionDetails['summary'] }): JSX.Element | null {
  const { title, content } = props;
  if (content === null) return null;
  const notes = [
    ...(content.redactions > 0 ? [`${formatCount(content.redactions)} redacted`] : []),
    ...(content.truncated ? ['cut'] : []),
  ];
  return (
    <details>
      <summary>{[title, ...notes].join(', ')}</summary>
      {content.text.split('\n').map((line, index) => (
        <p key={index} dir="auto">
          {visible(line)}
        </p>
      ))}
    </details>
  );
}

function orNotKnown(count: number | null): ComponentChildren {
  return count === null ? <NotKnown /> : formatCount(count);
}

function entries(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'entry' : 'entries'}`;
}
