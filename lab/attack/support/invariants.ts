/** What holds for every answer, whatever was asked. */
import { errorsIn, faultOf } from '../../../test/collector/support/contract-check.ts';
import type { Attack } from './attacks.ts';
import { type AttackedCollector, scopesOf } from './collector.ts';
import type { WireAnswer } from './wire.ts';

/** Of the inside: stack frames, files of the program, the database's words. */
const insides = new RegExp(
  [
    ...['node_modules', 'node:internal', 'file://', '\\.[cm]?[jt]s:\\d+', '\\bat \\S+ \\('],
    ...['SQLITE_', 'SQLite', 'no such (table|column)', 'syntax error', 'malformed JSON'],
    ...['Cannot read prop', 'is not a function', 'is not iterable', 'call stack'],
  ].join('|'),
);

/** Only in Bob's and Carol's events, and in no attack. */
const ofOthers = /bob-(model|provider|branch|tool)/;
const limited: readonly string[] = ['own', 'shop'];

/** Each as a sentence; none: all is well. */
export function faultsOf(
  attack: Attack,
  answer: WireAnswer,
  collector: Pick<AttackedCollector, 'tokens' | 'home'>,
): readonly string[] {
  const text = `${JSON.stringify(answer.headers)}${answer.body}`;
  const { caller } = attack;
  const told = Object.values(collector.tokens).filter(
    (token) => token.length > 40 && text.includes(token),
  );
  return [
    ...statusFaults(attack, answer),
    ...formFaults(attack, answer),
    ...headerFaults(answer),
    ...(insides.test(text) ? [`tells of the inside: ${insides.exec(text)?.[0]}`] : []),
    ...(answer.status >= 400 && text.includes(collector.home) ? ['names a path'] : []),
    ...(told.length > 0 ? ['contains a token'] : []),
    ...(limited.includes(caller) && ofOthers.test(text) ? [`shows others to ${caller}`] : []),
  ];
}

/** 417 is Node's own, without a body: it expects what nobody can do. */
function statusFaults({ scope, caller }: Attack, { status, body }: WireAnswer): readonly string[] {
  if (status === 0) return [`no answer: ${body.slice(0, 200)}`];
  if (status >= 500) return [`status ${status}: ${body.slice(0, 200)}`];
  const isIn = status < 400;
  if (isIn && typeof scope === 'string' && !scopesOf[caller].includes(scope))
    return [`${caller} was let into what needs ${scope}`];
  return [];
}

function formFaults({ method, target, caller }: Attack, answer: WireAnswer): readonly string[] {
  const { status, headers, body } = answer;
  if (method === 'HEAD' || status === 0) return [];
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  if (status < 400) {
    const inJson = { statusCode: status, headers, body };
    const fault = isJson ? faultOf(method, target, inJson) : null;
    return fault === null ? [] : [fault];
  }
  if (!isJson) return [`an error without JSON (${status}): ${body.slice(0, 100)}`];
  const errors = errorsIn('error', JSON.parse(body));
  return errors.length === 0 ? [] : [`no error of the contract for ${caller}: ${body}`];
}

function headerFaults({ status, headers }: WireAnswer): readonly string[] {
  if (status === 0) return [];
  return [
    ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['lets browsers sniff']),
    ...(headers['content-security-policy']?.includes("default-src 'none'") ? [] : ['has no CSP']),
    ...('access-control-allow-origin' in headers ? ['lets other origins read'] : []),
    ...('x-injected' in headers ? ['has an injected header'] : []),
    ...('x-powered-by' in headers || 'server' in headers ? ['names its software'] : []),
  ];
}
