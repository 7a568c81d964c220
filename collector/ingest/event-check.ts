/**
 * Is this an event that the ledger knows? Pure: value in, verdict out.
 *
 * Each of the contract's schemas is compiled once, when its first event comes. Unknown fields are
 * allowed and kept: a newer producer may say more.
 */
import {
  Envelope,
  type EventTypeName,
  eventTypes,
  type LedgerEvent,
  limits,
  type RejectionCode,
} from '@pi-ledger/contract';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';

export type EventVerdict =
  | { readonly kind: 'event'; readonly event: LedgerEvent }
  | {
      readonly kind: 'rejected';
      readonly code: RejectionCode;
      readonly field: string;
      readonly message: string;
    };

/**
 * Contract: never throws, whatever the value is. An event may be as young as `latest`, a time in
 * the form of the envelope's.
 */
export type EventCheck = (value: unknown, latest: string) => EventVerdict;

/** As far ahead as a producer's clock may be. */
export function latestTime(nowMs: number): string {
  return new Date(nowMs + limits.futureMsMax).toISOString();
}

export function createEventCheck(): EventCheck {
  const validators = new Map<string, Validator>();

  function validatorOf(type: string): Validator | undefined {
    const compiled = validators.get(type);
    if (compiled !== undefined) return compiled;
    const eventType = eventTypes.find((each) => each.type === type);
    if (eventType === undefined) return undefined;
    const validator = Compile(Type.Object({ ...Envelope.properties, data: eventType.data }));
    validators.set(type, validator);
    return validator;
  }

  return (value, latest) => {
    if (!isRecord(value)) return reject('not_an_event', '', 'An event is a JSON object.');
    const { type } = value;
    if (typeof type !== 'string') return reject('not_an_event', '/type', 'An event has a type.');
    const validator = validatorOf(type);
    if (validator === undefined) return rejectType(type);
    if (!validator.Check(value)) return rejectSchema(validator, value);
    const event = value as LedgerEvent;
    return rejectTime(event, latest) ?? { kind: 'event', event };
  };
}

/**
 * For events that this process has just made by the contract's types: what a session file says of
 * time is all that can be wrong with them.
 */
export function checkOwn(event: LedgerEvent, latest: string): EventVerdict {
  return rejectTime(event, latest) ?? { kind: 'event', event };
}

interface Validator {
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly [valid: boolean, errors: readonly SchemaError[]];
}

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

const typeNames: readonly EventTypeName[] = eventTypes.map(({ type }) => type);

/** A type or a key of kilobytes must not come back in every answer. */
const citedCharsMax = 100;
const fieldCharsMax = 200;

function rejectType(type: string): EventVerdict {
  const name = withoutVersion(type);
  const known = typeNames.filter((known) => withoutVersion(known) === name);
  if (known.length > 0) {
    return reject(
      'unknown_version',
      '/type',
      `This collector knows ${known.join(', ')}; ${cite(type)} needs another version of it.`,
    );
  }
  return reject('unknown_type', '/type', `This collector does not know the type ${cite(type)}.`);
}

function withoutVersion(type: string): string {
  return type.replace(/\.v\d+$/, '');
}

function cite(text: string): string {
  return JSON.stringify(text.length > citedCharsMax ? `${text.slice(0, citedCharsMax)}...` : text);
}

function rejectSchema(validator: Validator, value: unknown): EventVerdict {
  // Of a union all branches report; the deepest place is what its author meant.
  const errors = validator
    .Errors(value)[1]
    .map((error) => ({ field: fieldOf(error), message: messageOf(error) }));
  const [first] = errors.toSorted((a, b) => depthOf(b.field) - depthOf(a.field));
  return reject(
    'schema',
    cutField(first?.field ?? ''),
    first === undefined ? 'The event does not fit its schema.' : first.message,
  );
}

function fieldOf({ keyword, instancePath, params }: SchemaError): string {
  if (keyword !== 'required') return instancePath;
  const [missing = ''] =
    (params as { requiredProperties?: readonly string[] }).requiredProperties ?? [];
  return `${instancePath}/${missing}`;
}

function messageOf({ keyword, message }: SchemaError): string {
  if (keyword === 'required') return 'The field is missing.';
  if (keyword === 'const') return 'It is none of the values allowed here.';
  return `It ${message}.`;
}

function depthOf(field: string): number {
  return field.split('/').length;
}

/** Keys of records are the producer's own words and may be long. */
function cutField(field: string): string {
  return field.length > fieldCharsMax ? `${field.slice(0, fieldCharsMax)}...` : field;
}

function rejectTime({ time }: LedgerEvent, latest: string): EventVerdict | undefined {
  // The pattern lets 31 February through, which Date.parse moves into March.
  if (Number(time.slice(8, 10)) > 28 && new Date(Date.parse(time)).toISOString() !== time)
    return reject('schema', '/time', 'There is no such day.');
  // Times of one form sort as text.
  if (time <= latest) return undefined;
  return reject(
    'time_in_future',
    '/time',
    `It is more than ${limits.futureMsMax / 3_600_000} hours ahead of the collector's clock.`,
  );
}

function reject(code: RejectionCode, field: string, message: string): EventVerdict {
  return { kind: 'rejected', code, field, message };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
