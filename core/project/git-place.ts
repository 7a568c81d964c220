/** Where a repository keeps its files. Found by walking up from a directory, so worth caching. */
export interface GitPlace {
  readonly root: string;
  readonly gitDirectory: string;
  /** Shared by all worktrees. */
  readonly commonDirectory: string;
}
