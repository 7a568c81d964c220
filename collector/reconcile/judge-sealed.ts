/**
 * Compares what the session files have from before the floor of deleted history with what the views
 * count of that time. The log has nothing of it, so single records cannot be compared; but what is
 * in the totals is there by session and kind, and what came after the seal is not. Pure.
 *
 * The totals may have more than a file, which may have lost lines. They may have it elsewhere, too:
 * a copied entry in a session that holds a copy, a subagent's answers in what another session's
 * tools claim.
 */
import { type Difference, difference } from './difference.ts';
import {
  addFigures,
  type Figures,
  figuresOfKind,
  noFigures,
  type SessionSums,
  sumAll,
} from './figures.ts';
import { figuresText } from './figures-text.ts';
import type { FileFacts } from './files/file-facts.ts';
import type { Findings } from './findings.ts';
import { createKin, type Kin } from './kin.ts';
import type { ViewFacts } from './view-facts.ts';

type ByKind = ReadonlyMap<string, Figures>;

interface Sides {
  readonly files: FileFacts;
  readonly views: ViewFacts;
  readonly kin: Kin;
  /** By session: what its tools claim, less what was found there. */
  readonly spares: Map<string, Figures>;
}

export function judgeSealed(files: FileFacts, views: ViewFacts, findings: Findings): void {
  const sides: Sides = { files, views, kin: createKin(files), spares: new Map() };
  for (const [sessionId, { sums }] of [...files.sealed].sort(byId)) {
    for (const found of judgeSession(sides, sessionId, sums)) findings.add(sessionId, found);
  }
}

function judgeSession(
  sides: Sides,
  sessionId: string,
  { byKind, units }: SessionSums,
): readonly Difference[] {
  const { views, kin } = sides;
  if (views.ignored.has(sessionId)) return [difference('ignored_project', units)];
  const inViews = views.beforeFloor.get(sessionId) ?? nothing;
  const family = kin.familyOf(sessionId);
  const lack = findLack(byKind, inViews);
  if (family.size > 1) reduce(lack, lackOfFamily(sides, family));
  const claimed = takeClaimed(sides, sessionId, lack);
  const left = sumAll(lack.values());
  const missing = Number(left.records);
  const isWrong = hasAny(left) || (family.size === 1 && isUnequal(byKind, inViews));
  if (missing === 0 && isWrong) return [difference('sealed_differs', 1, said(byKind, inViews))];
  const found = units - missing - claimed;
  return [
    ...(missing > 0 ? [difference('older_than_seal', missing, nameFile(sides, sessionId))] : []),
    ...(claimed > 0 ? [difference('subagent_claim', claimed)] : []),
    ...(found > 0 ? [difference('sealed', found)] : []),
  ];
}

const tokenNames = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

/** Without the price of copies: a copy may have lost it. */
const names = [
  ...tokenNames,
  'records',
  'reasoningTokens',
  'nanoUsd',
  'unreportedRecords',
] as const satisfies readonly (keyof Figures)[];

const nothing: ByKind = new Map();

/** What the files have beyond the views, kind by kind. */
function findLack(inFiles: ByKind, inViews: ByKind): Map<string, Figures> {
  const lack = new Map<string, Figures>();
  for (const [kind, figures] of inFiles)
    lack.set(
      kind,
      eachName((name) => beyond(figures[name], inViews.get(kind)?.[name] ?? 0n)),
    );
  return lack;
}

/** Copies count in one session of a family, not always in the one whose file is the oldest. */
function lackOfFamily({ files, views }: Sides, family: ReadonlySet<string>): ByKind {
  const inFiles = new Map<string, Figures>();
  const inherited = new Map<string, Figures>();
  const inViews = new Map<string, Figures>();
  const elsewhere = new Map<string, Figures>();
  for (const member of family) {
    const session = files.sealed.get(member);
    addAll(inFiles, session?.sums.byKind ?? nothing);
    addAll(inherited, session?.inherited.byKind ?? nothing);
    const counted = views.beforeFloor.get(member) ?? nothing;
    addAll(files.sessions.has(member) ? inViews : elsewhere, counted);
  }
  // Of an ancestor without a file, no more than the copies is known.
  reduce(elsewhere, inherited);
  addAll(inViews, elsewhere);
  return findLack(inFiles, inViews);
}

/**
 * Takes out of the lack the answers of a subagent that another session's tools claim, and returns
 * their number. What nobody reported is in no claim.
 */
function takeClaimed(sides: Sides, sessionId: string, lack: Map<string, Figures>): number {
  const answers = lack.get('turn');
  if (answers === undefined || !tokenNames.some((name) => answers[name] > 0n)) return 0;
  for (const claimer of sides.kin.claimersOf(sessionId)) {
    const spare = sides.spares.get(claimer) ?? findSpare(sides, claimer);
    if (tokenNames.some((name) => spare[name] < answers[name])) continue;
    for (const name of tokenNames) spare[name] -= answers[name];
    sides.spares.set(claimer, spare);
    const { records, unreportedRecords } = answers;
    lack.set('turn', { ...noFigures(), records: unreportedRecords, unreportedRecords });
    return Number(records - unreportedRecords);
  }
  return 0;
}

/** What counts of a session's claims: all that counts as its tools' beyond their own records. */
function findSpare({ files, views }: Sides, sessionId: string): Figures {
  const counted = views.ofTools.get(sessionId) ?? noFigures();
  const own = [files.sealed.get(sessionId)?.sums, files.sessions.get(sessionId)?.sums];
  const direct = sumAll(own.map((sums) => sums?.byKind.get('tool') ?? noFigures()));
  return eachName((name) => beyond(counted[name], direct[name]));
}

/** Only sums of as many records are compared; what tools claim is in no sum of records. */
function isUnequal(inFiles: ByKind, inViews: ByKind): boolean {
  return [...inFiles].some(([kind, figures]) => {
    const counted = inViews.get(kind) ?? noFigures();
    const isComparable = kind !== 'tool' && figures.records === counted.records;
    return isComparable && names.some((name) => figures[name] !== counted[name]);
  });
}

function reduce(all: Map<string, Figures>, to: ByKind): void {
  for (const [kind, figures] of all) {
    const most = to.get(kind) ?? noFigures();
    all.set(
      kind,
      eachName((name) => lesser(figures[name], most[name])),
    );
  }
}

function addAll(into: Map<string, Figures>, by: ByKind): void {
  for (const [kind, figures] of by) addFigures(figuresOfKind(into, kind), figures);
}

function eachName(figureOf: (name: keyof Figures) => bigint): Figures {
  const figures = noFigures();
  for (const name of names) figures[name] = figureOf(name);
  return figures;
}

function lesser(figure: bigint, other: bigint): bigint {
  return figure < other ? figure : other;
}

function beyond(figure: bigint, other: bigint): bigint {
  return figure > other ? figure - other : 0n;
}

function hasAny(figures: Figures): boolean {
  return names.some((name) => figures[name] > 0n);
}

function said(inFiles: ByKind, inViews: ByKind): Pick<Difference, 'inFiles' | 'inViews'> {
  const describeKinds = (byKind: ByKind): string => figuresText(sumAll(byKind.values()));
  return { inFiles: describeKinds(inFiles), inViews: describeKinds(inViews) };
}

function nameFile({ files }: Sides, sessionId: string): Pick<Difference, 'file'> {
  const [first] = files.sessions.get(sessionId)?.files ?? [];
  return first === undefined ? {} : { file: first.path };
}

function byId([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
