/**
 * The user's rules from `config.json`, applied by the fold: other names for projects, ignored
 * projects, how a provider is billed, labels. Events stay as they are; a changed rule rebuilds the
 * views.
 */
import { createMatcher } from './glob.ts';
import { createLabelling, type Labelling, type LabelRule } from './label-rules.ts';

export interface FoldRules {
  /** The first match counts. */
  readonly projects: readonly ProjectRule[];
  /**
   * By provider, for spend whose attributions do not say. Replaced only while nothing is folded
   * (roles/billing-rules.ts): who reads a document then applies the new ones.
   */
  billing: Readonly<Record<string, Billing>>;
  readonly labels: readonly LabelRule[];
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

export interface TimelineRules {
  nameOf(project: ProjectFacts): NamedProject;
  readonly billing: Pick<ReadonlyMap<string, Billing>, 'get'>;
  readonly labelsFor: Labelling;
}

export const noRules: FoldRules = { projects: [], billing: {}, labels: [] };

/** Equal for equivalent rules, whatever the order of providers and of the labels that one sets. */
export function rulesText({ projects, billing, labels }: FoldRules): string {
  const named = projects.map((rule) => [rule.match, 'as' in rule ? rule.as : null]);
  return JSON.stringify([
    named,
    sorted(billing),
    ...(labels.length === 0 ? [] : [labels.map(labelSettings)]),
  ]);
}

function labelSettings({ project, user, branch, set = {} }: LabelRule): unknown {
  return [project ?? null, user ?? null, branch ?? null, sorted(set)];
}

function sorted(values: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(values).toSorted(([left], [right]) => (left < right ? -1 : 1));
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

/** Throws on an invalid glob or pattern. */
export function createTimelineRules(rules: FoldRules): TimelineRules {
  return {
    nameOf: createProjectNaming(rules),
    billing: {
      get: (provider) =>
        Object.hasOwn(rules.billing, provider) ? rules.billing[provider] : undefined,
    },
    labelsFor: createLabelling(rules.labels),
  };
}
