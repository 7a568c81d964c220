/** Every GET, with each parameter in turn: taken from the API's description of the tree itself. */
import type { Samples } from './commands.ts';

export interface Description {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly items?: { readonly enum?: readonly string[] };
  };
}

/** A stream without an end, an answer to a random challenge, and how this machine is doing. */
const notAsked = new Set(['/v1/live', '/v1/proof', '/v1/log/own']);
/** Each page has its own; the pages are walked instead. */
const notGiven = new Set(['cursor']);

/** Paths with their queries. Throws for a parameter without a sample. */
export function addresses({ paths }: Description, samples: Samples): readonly string[] {
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined || notAsked.has(path) ? [] : addressesOf(path, get, samples),
  );
}

function addressesOf(path: string, { parameters = [] }: Operation, samples: Samples): string[] {
  const required = parameters.filter((each) => each.in === 'query' && each.required === true);
  const optional = parameters.filter(
    (each) => each.in === 'query' && each.required !== true && !notGiven.has(each.name),
  );
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  const key = `${path.split('/')[2]} ${name}`;
  const whole = name === undefined ? [path] : valuesNamed(key, samples).map(filled(path, name));
  const given = required.map((each) => pair(each, valuesFor(path, each, samples)[0] ?? ''));
  const variants = optional.flatMap((each) =>
    valuesFor(path, each, samples).map((value) => pair(each, value)),
  );
  return whole.flatMap((address) =>
    [given, ...variants.map((variant) => [...given, variant])].map((pairs) =>
      pairs.length === 0 ? address : `${address}?${pairs.join('&')}`,
    ),
  );
}

function filled(path: string, name: string): (value: string) => string {
  return (value) => path.replace(`{${name}}`, encodeURIComponent(value));
}

function valuesFor(path: string, { name, schema }: Parameter, samples: Samples): readonly string[] {
  const choices = schema.enum ?? schema.items?.enum ?? [];
  return choices.length > 0 ? choices : (samples[`${path} ${name}`] ?? valuesNamed(name, samples));
}

function valuesNamed(name: string, samples: Samples): readonly string[] {
  const values = samples[name];
  if (values === undefined) throw new Error(`No sample for ${name}: add one in samples.ts.`);
  return values;
}

function pair({ name }: Parameter, value: string): string {
  return `${name}=${encodeURIComponent(value)}`;
}
