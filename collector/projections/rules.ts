/**
 * The user's rules from `config.json`, applied by the fold: other names for projects, ignored
 * projects, how a provider is billed. Events stay as they are; a changed rule rebuilds the views.
 */
import { createRequire } from 'node:module';
import type Picomatch from 'picomatch';

export interface FoldRules {
  /** The first match counts. */
  readonly projects: readonly ProjectRule[];
  /** By provider, for spend whose attributions do not say. */
  readonly billing: Readonly<Record<string, Billing>>;
}

export type Billing = 'metered' | 'subscription';

/**
 * `match` is a glob over the project's name, its remote or the working directory, or one of these
 * verbatim.
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

/** Equal for equivalent rules, whatever the order of providers. */
export function settingsOf({ projects, billing }: FoldRules): string {
  const named = projects.map((rule) => [rule.match, 'as' in rule ? rule.as : null]);
  return JSON.stringify([
    named,
    Object.entries(billing).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ]);
}

/** Throws on an invalid glob; `config.ts` has already checked them. */
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

/** One star stops at slashes, two stars do not. Throws on an invalid pattern. */
export function createMatcher(glob: string): (text: string) => boolean {
  // Loaded with the first rule, because it costs 9 ms at the start of every command.
  const picomatch: typeof Picomatch = createRequire(import.meta.url)('picomatch');
  const isMatch = picomatch(glob, { dot: true, strictBrackets: true });
  return (text) => text === glob || isMatch(text);
}
