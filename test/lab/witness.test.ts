import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { questions, type Samples } from '../../lab/witness/commands.ts';
import { differences } from '../../lab/witness/compare.ts';
import { corpus, type DataSet } from '../../lab/witness/data.ts';
import { plain } from '../../lab/witness/plain.ts';
import { record } from '../../lab/witness/record.ts';
import { addresses, type Description } from '../../lab/witness/routes.ts';

const root = join(import.meta.dirname, '..', '..');

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'witness-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function caseNamed(name: string): DataSet {
  const found = corpus().find((each) => each.name === `corpus/${name}`);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found;
}

async function recorded(data: DataSet): Promise<string> {
  const path = directory();
  await record(root, data, (home) => `sqlite:${join(home, 'ledger.db')}`, path);
  return path;
}

describe('a record of what a tree answers', () => {
  it('is the same when it is made again, and another one of other data', async () => {
    const [tree, again] = [await recorded(caseNamed('tree')), await recorded(caseNamed('tree'))];
    expect(readdirSync(join(tree, 'corpus', 'tree', 'commands')).length).toBeGreaterThan(5);
    expect(differences(tree, again)).toEqual([]);
    const fork = await recorded({ ...caseNamed('pi-fork'), name: 'corpus/tree' });
    const changed = differences(tree, fork).map(({ file }) => file);
    expect(changed).toContain(join('corpus', 'tree', 'commands', 'pi-ledger_report_--json.txt'));
  });

  it('differs from another in a changed digit and in an answer that only one has', () => {
    const [before, after] = [directory(), directory()];
    for (const path of [before, after]) writeFileSync(join(path, 'report.txt'), 'a\ncost $1.20\n');
    writeFileSync(join(before, 'report.txt'), 'a\ncost $1.21\n');
    appendFileSync(join(after, 'new.txt'), '');
    expect(differences(before, after)).toEqual([
      { file: 'new.txt', is: 'only after', lines: [] },
      { file: 'report.txt', is: 'changed', lines: ['- cost $1.21', '+ cost $1.20'] },
    ]);
  });

  it('leaves out paths, addresses and the ledger’s own id, and no figure', () => {
    const subject = { tree: '/tree', home: '/tmp/h', store: 'sqlite:/tmp/h/l.db', port: 4_000 };
    const text = 'in /tmp/h/x of /tree: http://127.0.0.1:4000, id-1, "bytes": 12, 4000 tokens';
    expect(plain(text, subject, 'id-1')).toBe(
      'in <home>/x of <tree>: http://<address>, <store id>, "bytes": <bytes>, 4000 tokens',
    );
  });
});

const help = `Usage: pi-ledger report [options]

show what was spent

Options:
  --by <what>     group by one (choices: "project",
                  "model")
  --since <when>  from this day on
  --wide          print all columns
  --json          print JSON
  --watch [s]     print it anew
  -h, --help      display help for command

Examples:
  pi-ledger report`;

function asked(samples: Samples): readonly string[] {
  const found = questions(new Map([['report', help]]), samples);
  return found.map(({ argv, columns }) => [...argv, ...(columns ? [`@${columns}`] : [])].join(' '));
}

describe('what is asked', () => {
  it('is each option of a command with each value, in each form', () => {
    const forms = ['@80', '@120', '--json'];
    const variants = ['', '--by project', '--by model', '--since 2026-12-01', '--wide'];
    expect(asked({ since: ['2026-12-01'] })).toEqual(
      variants.flatMap((variant) =>
        forms.map((form) => ['report', variant, form].filter((word) => word !== '').join(' ')),
      ),
    );
  });

  it('is each GET with each parameter, by the names that the ledger has', () => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } } as const;
    const day = { name: 'day', in: 'query', required: true, schema: { type: 'string' } } as const;
    const only = { name: 'only', in: 'query', schema: { enum: ['a', 'b'] } } as const;
    const paths = { '/v1/things/{id}': { get: { parameters: [id, day, only] } }, '/v1/put': {} };
    const samples = { 'things id': ['x/y'], day: ['2026-12-01'] };
    expect(addresses({ paths } satisfies Description, samples)).toEqual([
      '/v1/things/x%2Fy?day=2026-12-01',
      '/v1/things/x%2Fy?day=2026-12-01&only=a',
      '/v1/things/x%2Fy?day=2026-12-01&only=b',
    ]);
  });

  it('needs a value for what is new: nothing is passed over in silence', () => {
    expect(() => asked({})).toThrow('No sample for --since');
  });
});
