/** The operations of a served OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Of the first content type that it takes; null: it takes none. */
  readonly body: Schema | null;
  /** Null: everybody. */
  readonly scope: string | null;
}

export interface Described {
  readonly operations: readonly Operation[];
  resolve(schema: Schema): Schema;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface DocumentOperation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly security?: readonly { readonly token: readonly string[] }[];
}

export function readDocument(text: string): Described {
  const { paths, components } = JSON.parse(text) as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { parameters = [], requestBody, security = [] }]): Operation => ({
        method: method.toUpperCase(),
        path,
        parameters,
        body: Object.values(requestBody?.content ?? {})[0]?.schema ?? null,
        scope: security[0]?.token[0] ?? null,
      }),
    ),
  );
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : resolve(components.schemas[name] ?? {});
  };
  return { operations, resolve };
}
