import type { JSX } from 'preact';
import { Name } from './name.tsx';

export interface ProjectBranchProps {
  readonly project: string | null;
  readonly branch: string | null;
}

/** In a column of sessions; the branch goes where there is no room. */
export function ProjectBranch({ project, branch }: ProjectBranchProps): JSX.Element {
  return (
    <>
      <Name of={project} />{' '}
      {branch !== null && (
        <span class="quiet goes-second">
          <Name of={branch} />
        </span>
      )}
    </>
  );
}
