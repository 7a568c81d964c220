import type { JSX } from 'preact';
import { Name } from './name.tsx';

export interface ProjectBranchProps {
  readonly project: string | null;
  readonly branch: string | null;
  /** It cuts the project, as `Name` has it. */
  readonly charsMax?: number;
}

/** When a session was and what it cost outlast whose it is. */
export const projectGoes = 5.5;

/** In a column of sessions; the branch goes where there is no room. */
export function ProjectBranch({ project, branch, ...cut }: ProjectBranchProps): JSX.Element {
  return (
    <>
      <Name of={project} {...cut} />{' '}
      {branch !== null && (
        <span class="quiet goes-second">
          <Name of={branch} />
        </span>
      )}
    </>
  );
}
