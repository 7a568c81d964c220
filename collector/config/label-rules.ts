/**
 * The user's rules for labels and pull requests, from `config.json`:
 *
 *     "labels": [
 *       { "branch": "(?<ticket>[A-Z]+-[0-9]+)" },
 *       { "project": "shop*", "user": "ada", "set": { "team": "checkout" } }
 *     ],
 *     "pullRequests": "^pr/(?<number>[0-9]+)$"
 *
 * Each problem is named with its key and what was expected; a rule with a problem is left out.
 */
import {
  isLabelKey,
  isLabelValue,
  labelKeyExpected,
  labelsMax,
  labelValueExpected,
} from '@pi-ledger/contract/settings/labels';
import type { Complain, ValueReader } from '@pi-ledger/contract/settings/plain-readers';
import { createMatcher } from '../projections/glob.ts';
import { type LabelRule, listGroupNames } from '../projections/label-rules.ts';
import { isRecord, readText } from './rule-texts.ts';

const labelRulesMax = 200;

export const labelRulesReader: ValueReader<readonly LabelRule[]> = {
  read(value, complain) {
    if (!Array.isArray(value) || value.length > labelRulesMax) return undefined;
    return value
      .map((rule: unknown, index) => readRule(rule, `labels[${index}]`, complain))
      .filter((rule) => rule !== null);
  },
  expected: `a list of up to ${labelRulesMax} rules with "project", "user", "branch", "set"`,
};

export const pullRequestsReader: ValueReader<string> = {
  read: (value) => (typeof value === 'string' && isNumberPattern(value) ? value : undefined),
  expected: 'a regular expression (RE2) for branches with a group `(?<number>...)`',
};

function readRule(rule: unknown, key: string, complain: Complain): LabelRule | null {
  if (!isRecord(rule)) {
    complain(key, rule, 'an object with "project", "user", "branch", "set"');
    return null;
  }
  let isWhole = true;
  const note: Complain = (...problem) => {
    isWhole = false;
    complain(...problem);
  };
  const { project, user, branch, set, ...others } = rule;
  for (const [name, value] of Object.entries(others))
    note(`${key}.${name}`, value, 'no such key: a rule has "project", "user", "branch", "set"');
  const read = {
    ...globIn(project, 'project', key, note),
    ...globIn(user, 'user', key, note),
    ...patternIn(branch, key, note),
    ...setIn(set, key, note),
  };
  if (isWhole && read.set === undefined && groupsIn(read.branch) === 0)
    note(key, rule, '"set", or "branch" with a group that is called like a label');
  return isWhole ? read : null;
}

function globIn(
  value: unknown,
  name: 'project' | 'user',
  key: string,
  complain: Complain,
): Pick<LabelRule, 'project' | 'user'> {
  if (value === undefined) return {};
  const glob = readText(value, `${key}.${name}`, compiles(createMatcher), 'a glob', complain);
  return glob === null ? {} : { [name]: glob };
}

function patternIn(value: unknown, key: string, complain: Complain): Pick<LabelRule, 'branch'> {
  if (value === undefined) return {};
  const pattern = readText(
    value,
    `${key}.branch`,
    (text) => compiles(listGroupNames)(text) && listGroupNames(text).every(isLabelKey),
    'a regular expression (RE2) whose groups are called like labels (a-z, 0-9, _)',
    complain,
  );
  return pattern === null ? {} : { branch: pattern };
}

function setIn(value: unknown, key: string, complain: Complain): Pick<LabelRule, 'set'> {
  if (value === undefined) return {};
  if (!isRecord(value) || Object.keys(value).length > labelsMax) {
    complain(`${key}.set`, value, `up to ${labelsMax} labels by name`);
    return {};
  }
  const set: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    if (!isLabelKey(name)) complain(`${key}.set.${name}`, name, labelKeyExpected);
    else if (!isLabelValue(text)) complain(`${key}.set.${name}`, text, labelValueExpected);
    else set[name] = text;
  }
  return { set };
}

function groupsIn(pattern: string | undefined): number {
  return pattern === undefined ? 0 : listGroupNames(pattern).length;
}

function isNumberPattern(text: string): boolean {
  return (
    text.length <= 500 && compiles(listGroupNames)(text) && listGroupNames(text).includes('number')
  );
}

/** The libraries throw for others. */
function compiles(compile: (text: string) => unknown): (text: string) => boolean {
  return (text) => {
    try {
      compile(text);
      return true;
    } catch {
      return false;
    }
  };
}
