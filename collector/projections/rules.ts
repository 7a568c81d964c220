/**
 * What users say about their own work, in `config.json`, and the fold applies: other names for
 * projects, projects that are not counted, how a provider is paid. Events stay as they are; a
 * changed rule folds the views anew.
 */
import { createRequire } from 'node:module';
import type Picomatch from 'picomatch';

export interface FoldRules {
  /** The first that matches counts. */
  readonly projects: readonly ProjectRule[];
  /** By provider; only where no attribution says. */
  readonly billing: Readonly<Record<string, Billing>>;
}

export type Billing = 'metered' | 'subscription';

/**
 * `match`: a glob over the project's name, its remote or the working directory, or one of these as
 * it is.
 */
export type ProjectRule =
  | { readonly match: string; readonly as: string }
  | { readonly match: string; readonly ignore: true };

export interface ProjectFacts {
  readonly name: string;
  readonly remote: string | null;
  readonly cwd: string;
}

export interface NamedProject {
  readonly name: string;
  /** Not counted. */
  readonly isIgnored: boolean;
}

export const noRules: FoldRules = { projects: [], billing: {} };

/** The same for rules that mean the same, whatever the order of providers. */
export function settingsOf({ projects, billing }: FoldRules): string {
  const named = projects.map((rule) => [rule.match, 'as' in rule ? rule.as : null]);
  return JSON.stringify([
    named,
    Object.entries(billing).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ]);
}

/** Throws when a glob is none: `config.ts` has looked at them before. */
export function createProjectNaming({
  projects,
}: FoldRules): (facts: ProjectFacts) => NamedProject {
  const rules = projects.map((rule) => ({
    matches: createMatcher(rule.match),
    as: 'as' in rule ? rule.as : null,
  }));
  return ({ name, remote, cwd }) => {
    const rule = rules.find(
      ({ matches }) => matches(name) || matches(cwd) || (remote !== null && matches(remote)),
    );
    return { name: rule?.as ?? name, isIgnored: rule !== undefined && rule.as === null };
  };
}

/** A star stops at slashes, two stars do not. Throws when the pattern cannot be one. */
export function createMatcher(glob: string): (text: string) => boolean {
  // Loaded with the first rule: it would take 9 ms of every command's start.
  const picomatch: typeof Picomatch = createRequire(import.meta.url)('picomatch');
  const isMatch = picomatch(glob, { dot: true, strictBrackets: true });
  return (text) => text === glob || isMatch(text);
}
