/**
 * Whether a value is an event that this collector knows. Pure: value in, verdict out.
 *
 * Each schema of the contract is compiled once, for its first event. Unknown fields are allowed and
 * kept: a newer producer may send more.
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
 * Contract: never throws, whatever the value is. `latest` is the latest time that an event may
 * have, in the envelope's format.
 */
export type EventCheck = (value: unknown, latest: string) => EventVerdict;

/** A producer's clock may be so far ahead. */
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
 * For events that this process has just made with the contract's types: only their time, which
 * comes from a session file, can be wrong.
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

/** A type or key of kilobytes must not be repeated in every answer. */
const citedCharsMax = 100;
const fieldCharsMax = 200;

function rejectType(type: string): EventVerdict {
  const name = withoutVersion(type);
  const known = typeNames.filter((known) => withoutVersion(known) === name);
  if (known.length > 0) {
    return reject(
      'unknown_version',
      '/type',
      `This collector knows ${known.join(', ')}, not ${cite(type)}: ` +
        'producer and collector have different versions.',
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
  // All branches of a union report errors; the deepest one is what the author meant.
  const errors = validator
    .Errors(value)[1]
    .map((error) => ({ field: fieldPath(error), message: explainProblem(error) }));
  const [first] = errors.toSorted((a, b) => fieldDepth(b.field) - fieldDepth(a.field));
  return reject(
    'schema',
    cutField(first?.field ?? ''),
    first === undefined ? 'The event does not match its schema.' : first.message,
  );
}

function fieldPath({ keyword, instancePath, params }: SchemaError): string {
  if (keyword !== 'required') return instancePath;
  const [missing = ''] =
    (params as { requiredProperties?: readonly string[] }).requiredProperties ?? [];
  return `${instancePath}/${missing}`;
}

function explainProblem({ keyword, message }: SchemaError): string {
  if (keyword === 'required') return 'The field is missing.';
  if (keyword === 'const') return 'Not one of the allowed values.';
  return `It ${message}.`;
}

function fieldDepth(field: string): number {
  return field.split('/').length;
}

/** A record's keys come from the producer and may be long. */
function cutField(field: string): string {
  return field.length > fieldCharsMax ? `${field.slice(0, fieldCharsMax)}...` : field;
}

function rejectTime({ time }: LedgerEvent, latest: string): EventVerdict | undefined {
  // The pattern accepts 31 February, which Date.parse moves into March.
  if (Number(time.slice(8, 10)) > 28 && new Date(Date.parse(time)).toISOString() !== time)
    return reject('schema', '/time', 'This day does not exist.');
  // Times in one format sort as text.
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
