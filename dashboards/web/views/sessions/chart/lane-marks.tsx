import type { JSX } from 'preact';
import type { LaneLook, LanePath } from './lanes.ts';

/** A path for each look of what a session did. */
export function LaneMarks({
  paths,
  isFaint = false,
}: {
  readonly paths: readonly LanePath[];
  readonly isFaint?: boolean;
}): JSX.Element {
  return (
    <g class={isFaint ? 'faint' : undefined}>
      {paths.map(({ look, path }) => (
        <path key={look} class={classOf[look]} d={path} />
      ))}
    </g>
  );
}

const classOf: Readonly<Record<LaneLook, string>> = {
  prompt: 'prompt',
  failed: 'failed',
  s5: 's5 solid',
  s1: 's1 solid',
  s2: 's2 solid',
  s0: 's0 solid',
};
