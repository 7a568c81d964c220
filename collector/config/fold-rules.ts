/**
 * The user's rules for folding, from `config.json`:
 *
 *     "projects": [
 *       { "match": "shop-*", "as": "shop" },
 *       { "match": "/home/ada/scratch/**", "ignore": true }
 *     ],
 *     "billing": { "anthropic": "subscription" }
 *
 * Each problem is named with its key and what was expected; a rule with a problem is left out.
 */
import type { Complain, ValueReader } from '@pi-ledger/contract/settings/plain-readers';
import { createMatcher } from '../projections/glob.ts';
import type { Billing, FoldRules, ProjectRule } from '../projections/rules.ts';
import { isRecord, readText } from './rule-texts.ts';

const projectRulesMax = 1_000;

export const projectRulesReader: ValueReader<FoldRules['projects']> = {
  read(value, complain) {
    if (!Array.isArray(value) || value.length > projectRulesMax) return undefined;
    return value
      .map((rule: unknown, index) => readProject(rule, `projects[${index}]`, complain))
      .filter((rule) => rule !== null);
  },
  expected:
    `a list of up to ${projectRulesMax} rules ` +
    '{"match": ..., "as": ...} or {"match": ..., "ignore": true}',
};

export const billingReader: ValueReader<FoldRules['billing']> = {
  read(value, complain) {
    if (!isRecord(value)) return undefined;
    const entries = Object.entries(value).flatMap(([provider, billing]): [string, Billing][] => {
      if (billing === 'metered' || billing === 'subscription') return [[provider, billing]];
      complain(`billing.${provider}`, billing, '"metered" or "subscription"');
      return [];
    });
    return Object.fromEntries(entries);
  },
  expected: '"metered" or "subscription" by provider',
};

function readProject(rule: unknown, key: string, complain: Complain): ProjectRule | null {
  if (!isRecord(rule)) {
    complain(key, rule, 'an object with "match", and "as" or "ignore"');
    return null;
  }
  const { match, as, ignore, ...others } = rule;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    complain(
      `${key}.${unknown}`,
      others[unknown],
      'no such key: a rule has "match", and "as" or "ignore"',
    );
  const glob = readText(
    match,
    `${key}.match`,
    isGlob,
    'a glob over project, remote or directory',
    complain,
  );
  if (as === undefined && ignore === undefined)
    complain(key, rule, '"as" or "ignore" beside "match"');
  if (as !== undefined && ignore !== undefined) complain(key, rule, '"as" or "ignore", not both');
  if (ignore !== undefined) {
    if (ignore !== true) complain(`${key}.ignore`, ignore, 'true');
    return glob === null ? null : { match: glob, ignore: true };
  }
  if (as === undefined) return null;
  const name = readText(as, `${key}.as`, () => true, "a project's name", complain);
  return glob === null || name === null ? null : { match: glob, as: name };
}

/** The library throws for others. */
function isGlob(text: string): boolean {
  try {
    createMatcher(text);
    return true;
  } catch {
    return false;
  }
}
