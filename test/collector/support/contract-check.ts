/** Checks answers against the contract, strictly: a field without a schema is a fault, too. */
import { api, ErrorAnswer, type Operation } from '@pi-ledger/contract/answers';
import { Compile } from 'typebox/schema';

interface Answered {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The fault of a JSON answer; null: none, or not a route of the contract. */
export function faultOf(
  method: string,
  url: string,
  { statusCode: status, headers, body }: Answered,
): string | null {
  const operation = operationOf(method, url);
  if (operation === null || !String(headers['content-type']).startsWith('application/json'))
    return null;
  const answer: unknown = JSON.parse(body);
  const isGood =
    status === 200 ||
    (operation === 'GET /health/ready' && status === 503 && !('code' in (answer as object)));
  const errors = errorsIn(isGood ? operation : 'error', answer);
  return errors.length === 0
    ? null
    : `${operation} (${status}): ${JSON.stringify(errors.slice(0, 5))}`;
}

const operations = (Object.keys(api) as Operation[])
  .map((name) => ({
    name,
    pattern: new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`),
  }))
  // Routes without parameters first: /v1/dead-letters/retry.
  .toSorted((a, b) => Number(a.name.includes('{')) - Number(b.name.includes('{')));

function operationOf(method: string, url: string): Operation | null {
  return operations.find(({ pattern }) => pattern.test(`${method} ${url}`))?.name ?? null;
}

export function errorsIn(what: Operation | 'error', answer: unknown): readonly unknown[] {
  const check =
    checks.get(what) ??
    Compile(closed(what === 'error' ? ErrorAnswer : api[what].answer) as object);
  checks.set(what, check);
  return check.Check(answer) ? [] : check.Errors(answer)[1];
}

const checks = new Map<string, ReturnType<typeof Compile>>();

/** A schema whose objects have the properties that it names, and no other. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { examples: _, ...rest } = schema as Readonly<Record<string, unknown>>;
  const all = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, closed(value)]),
  );
  return 'properties' in all ? { ...all, additionalProperties: false } : all;
}
