/**
 * A rolldown plugin that writes `LICENSES.txt` beside the bundle: each bundled package with the
 * text of its license. Throws for a package without a license.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function withLicenses() {
  return {
    name: 'with-licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
      const folders = new Set(modules.map(packageOf).filter((folder) => folder !== undefined));
      const byName = new Map([...folders].map(licenseOf).map((one) => [one.name, one]));
      const packages = [...byName.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
      this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: textOf(packages) });
    },
  };
}

/** The folder of the package that a module belongs to; undefined for this repository's own. */
function packageOf(module) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module)?.[0];
}

function licenseOf(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  if (typeof license !== 'string') throw new Error(`${name} ${version} names no license`);
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text =
    file === undefined
      ? `License: ${license}, by ${author?.name ?? author ?? 'its authors'}`
      : readFileSync(join(folder, file), 'utf8');
  return { name: `${name} ${version}`, license, text: text.trim() };
}

/**
 * Terms stand once, below all who grant them: who differs in the notice of copyright alone, or in
 * white space, shares them.
 */
function textOf(packages) {
  const byTerms = groupBy(packages, ({ text }) => wordsOf(termsOf(text)));
  const sections = [...byTerms.values()].map((same) => {
    const byNotice = groupBy(same, ({ text }) => wordsOf(noticeOf(text)));
    const notices = [...byNotice.values()].map((granted) =>
      `${namesOf(granted)}\n\n${noticeOf(granted[0].text)}`.trim(),
    );
    return `${notices.join('\n\n')}\n\n${termsOf(same[0].text)}\n`;
  });
  return `This bundle contains code of these packages.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Finds the terms in a license of MIT, ISC, BSD or Apache; all of another one counts as terms. */
function termsOf(text) {
  return terms.exec(text)?.[0] ?? text;
}

/** What stands around the terms. */
function noticeOf(text) {
  return text.replace(termsOf(text), '').trim();
}

const terms =
  /(?:Permission is hereby granted|Permission to use, copy|Redistribution and use in source)[\s\S]*|TERMS AND CONDITIONS FOR USE[\s\S]*END OF TERMS AND CONDITIONS/;

function wordsOf(text) {
  return text.replace(/\s+/g, ' ').trim();
}

function namesOf(packages) {
  return packages.map(({ name, license }) => `${name} (${license})`).join('\n');
}

/** As `Map.groupBy`, which Node 20 lacks. */
function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
