/**
 * Checks query parameters, path parameters and small bodies against their TypeBox schemas, for
 * Fastify.
 *
 * Parameters are text: an integer must be digits, and a list may be given once or repeatedly.
 * Nothing else is converted, nothing is dropped, and an unknown parameter is an error that names
 * it. Schemas are compiled when they are first used, which keeps the start fast.
 */
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { LedgerError } from '../errors.ts';

export const parameterCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  let compiled: ReturnType<typeof Compile> | undefined;
  return (given: unknown) => {
    compiled ??= Compile(schema);
    const value = httpPart === 'body' ? given : fromText(schema, given);
    if (compiled.Check(value)) return { value };
    return { error: explain(compiled.Errors(value)[1]) };
  };
};

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

function fromText(schema: TSchema, given: unknown): unknown {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, PropertySchema>> };
  const entries = Object.entries((given ?? {}) as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, convert(properties[name], value)]),
  );
}

interface PropertySchema {
  readonly type?: string;
}

function convert(schema: PropertySchema | undefined, value: unknown): unknown {
  if (schema?.type === 'array') return Array.isArray(value) ? value : [value];
  if (schema?.type === 'integer' && typeof value === 'string' && /^\d{1,15}$/.test(value))
    return Number(value);
  return value;
}

function explain(errors: readonly SchemaError[]): LedgerError {
  const unknown = errors.find(({ keyword }) => keyword === 'additionalProperties');
  if (unknown !== undefined) {
    const [name = ''] =
      (unknown.params as { additionalProperties?: readonly string[] }).additionalProperties ?? [];
    return new LedgerError('bad_parameter', {
      field: shorten(name),
      message: `${JSON.stringify(shorten(name))} is not a parameter of this route.`,
    });
  }
  const [first] = errors;
  const field = first?.instancePath.split('/')[1] ?? '';
  return new LedgerError('bad_parameter', {
    field,
    message: `${field}: ${explainProblem(first)}.`,
  });
}

function explainProblem(error: SchemaError | undefined): string {
  const allowed = (error?.params as { allowedValues?: readonly string[] } | undefined)
    ?.allowedValues;
  return allowed === undefined
    ? (error?.message ?? 'not valid')
    : `must be one of ${allowed.join(', ')}`;
}

function shorten(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}...` : name;
}
