/**
 * What must not be sent besides well-known secrets: e-mail addresses, home directories, and secrets
 * recognised by what precedes them (a name, a scheme, a prefix).
 *
 * Errs on the side of redaction: whatever looks like a secret goes. Each pattern takes linear time:
 * repetitions that can fail are bounded.
 */
import type { Placeholder, SecretFinding } from './findings.ts';

/** `homeDirectory`: of the user whose texts these are. */
export function createPatterns(homeDirectory: string): (text: string) => readonly SecretFinding[] {
  const patterns = [...secretPatterns, ...personPatterns, ...homePatterns(homeDirectory)];
  return (text) => patterns.flatMap((pattern) => findAll(text, pattern));
}

/** The group `secret` is replaced; without one, the whole match. */
interface Pattern {
  readonly find: RegExp;
  readonly placeholder: Placeholder;
}

const secret = (find: RegExp): Pattern => ({ find, placeholder: '[redacted]' });

/**
 * `name = value`, `"name": "value"`, `NAME_OF_ENV=value`: the rest of the name and the separator.
 */
const assignment = String.raw`[\w.-]{0,40}["'\`\]]{0,2}\s{0,3}(?:=>|:=|[=:])\s{0,3}`;
const secretName =
  '(?:passw(?:or)?d|passphrase|secret|' +
  'api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|credential)';
const passwordName = '(?:passw(?:or)?d|passphrase)';
const tokenName = '(?:token|pwd|auth[_-]?key|session[_-]?id|cookie)';

const privateKey = '[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?';
const tokenPrefix =
  '(?:gh[a-z]_|github_pat_|glpat-|xox[a-z]-|xapp-|npm_|pypi-|whsec_|hf_|gsk_|dop_v1_)';
/** How an unquoted value ends. */
const valueCharacter = String.raw`[^\s"'\`,;)}\]]`;

const secretPatterns: readonly Pattern[] = [
  // Up to its end, or to the end of the text if it was cut off.
  secret(
    new RegExp(
      String.raw`-----BEGIN ${privateKey}-----[\s\S]*?(?:-----END ${privateKey}-----|$)`,
      'dg',
    ),
  ),
  secret(/\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}/dg),
  secret(/\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}/dg),
  secret(/\b[srp]k[-_](?=[\w-]{0,200}\d)[\w-]{16,}/dg),
  secret(new RegExp(String.raw`\b${tokenPrefix}\w[\w-]{15,}`, 'dg')),
  secret(/\b\d{8,10}:AA[\w-]{33}|\b[MN][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}/dg),
  secret(/\beyJ[\w-]{10,}(?:\.[\w-]*){1,4}/dg),
  secret(/\b(?:bearer|basic|token)\s+(?<secret>(?=[\w+/.~-]{0,200}\d)[\w+/.~-]{16,}=*)/dgi),
  secret(
    /\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:[a-z]{1,20}\s{1,3})?(?<secret>[^\s"']{6,})/dgi,
  ),
  secret(/\bcookie["']?\s{0,3}:\s{0,3}["']?(?<secret>[^\n"']{8,})/dgi),
  // User and password of an address. A port is no password, and the user of a git remote is
  // harmless.
  secret(
    /(?<=:\/\/)(?!git@)[^\s/@:"'<>`]{0,500}:(?!\d{1,5}(?:[/?#\s]|$))[^\s"'<>`]{1,1000}(?=@)/dg,
  ),
  secret(/(?<=:\/\/)(?!git@)[^\s/@:"'<>`]{1,500}(?=@)/dg),
  secret(
    new RegExp(String.raw`${secretName}${assignment}(["'\`])(?<secret>[^"'\`\n]{4,})\1`, 'dgi'),
  ),
  secret(
    new RegExp(
      secretName +
        assignment +
        String.raw`(?<secret>(?=${valueCharacter}{0,200}\d)${valueCharacter}{6,})`,
      'dgi',
    ),
  ),
  secret(
    new RegExp(
      String.raw`${passwordName}["'\`\]]{0,2}\s{0,3}(?:=>|:=|[=:])\s{0,3}` +
        `(?<secret>${valueCharacter}{4,})`,
      'dgi',
    ),
  ),
  secret(new RegExp(String.raw`${secretName}[\w.-]{0,40}=(?<secret>${valueCharacter}{6,})`, 'dgi')),
  secret(
    new RegExp(
      String.raw`${tokenName}${assignment}["'\`]?(?<secret>(?=[\w+/.~%-]{0,200}\d)` +
        String.raw`(?=[\w+/.~%-]{0,200}[a-z])[\w+/.~%-]{12,}=*)`,
      'dgi',
    ),
  ),
];

const mailCharacter = String.raw`[\p{L}\p{N}._%+-]`;

const personPatterns: readonly Pattern[] = [
  {
    find: new RegExp(
      `(?<!${mailCharacter})(?!git@)${mailCharacter}+@` +
        String.raw`(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,}`,
      'dgu',
    ),
    placeholder: '[email]',
  },
];

/**
 * Any home under the usual roots, also as hosts name directories after it, and the user's own
 * anywhere.
 */
function homePatterns(homeDirectory: string): readonly Pattern[] {
  const roots = String.raw`(?:\/home\/|\/Users\/|\b[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2})`;
  const usual = new RegExp(String.raw`(?<![\w.-])${roots}[^\s/\\:"'\`<>|,;()[\]{}]+`, 'dg');
  const dashed = /(?<=-)-(?:home|Users)-[\w.]+/dg;
  const own =
    homeDirectory.length > 1 ? [new RegExp(`${escaped(homeDirectory)}(?![\\w-])`, 'dg')] : [];
  return [usual, dashed, ...own].map((find) => ({ find, placeholder: '~' }));
}

function findAll(text: string, { find, placeholder }: Pattern): readonly SecretFinding[] {
  return Array.from(text.matchAll(find), ({ indices }) => {
    const [start, end] = indices?.groups?.secret ?? indices?.[0] ?? [0, 0];
    return { start, end, placeholder };
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
