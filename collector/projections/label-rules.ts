/**
 * The user's rules that label spend by its project, user and branch. A sender names the branch, so
 * patterns are RE2's: they take time linear in the text, whatever it is.
 */
import { createRequire } from 'node:module';
import { isLabelValue } from '@pi-ledger/contract/settings/labels';
import type * as Re2js from 're2js';
import { createMatcher } from './glob.ts';

/** All that is given must match. */
export interface LabelRule {
  /** A glob over the project's name, as the rules for projects give it. */
  readonly project?: string;
  readonly user?: string;
  /** RE2, anywhere in the branch's name; what its named groups find are labels. */
  readonly branch?: string;
  readonly set?: Readonly<Record<string, string>>;
}

interface LabelFacts {
  readonly project: string;
  readonly user: string;
  readonly branch: string;
}

export type Labelling = (facts: LabelFacts) => ReadonlyMap<string, string>;

/** The first rule that gives a key wins. Throws on an invalid glob or pattern. */
export function createLabelling(rules: readonly LabelRule[]): Labelling {
  const makers = rules.map(createLabeller);
  return (facts) => {
    const labels = new Map<string, string>();
    for (const make of makers) {
      for (const [key, value] of make(facts) ?? []) if (!labels.has(key)) labels.set(key, value);
    }
    return labels;
  };
}

function createLabeller({
  project,
  user,
  branch,
  set = {},
}: LabelRule): (facts: LabelFacts) => ReadonlyMap<string, string> | null {
  const isProject = project === undefined ? () => true : createMatcher(project);
  const isUser = user === undefined ? () => true : createMatcher(user);
  const find = branch === undefined ? () => noGroups : createFinder(branch);
  return (facts) => {
    if (!isProject(facts.project) || !isUser(facts.user)) return null;
    const found = find(facts.branch);
    return found && new Map([...Object.entries(set), ...found]);
  };
}

const noGroups: ReadonlyMap<string, string> = new Map();

/** What a pattern's named groups find in a text, without those that no label can hold. */
type Finder = (text: string) => ReadonlyMap<string, string> | null;

/** Throws on an invalid pattern. */
export function createFinder(pattern: string): Finder {
  const expression = compile(pattern);
  const names = Object.keys(expression.namedGroups());
  return (text) => {
    const match = expression.matcher(text);
    if (!match.find()) return null;
    const groups = names.map((name): [string, unknown] => [name, match.group(name)]);
    return new Map(groups.filter((group): group is [string, string] => isLabelValue(group[1])));
  };
}

/** The names of a pattern's groups. Throws on an invalid pattern. */
export function listGroupNames(pattern: string): readonly string[] {
  return Object.keys(compile(pattern).namedGroups());
}

function compile(pattern: string): Re2js.RE2JS {
  // Loaded with the first rule, as globs are.
  const { RE2JS }: typeof Re2js = createRequire(import.meta.url)('re2js');
  return RE2JS.compile(pattern);
}
