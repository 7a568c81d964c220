import type { FastifySchemaCompiler, FastifyServerOptions } from 'fastify';

/**
 * Fastify with this loads neither Ajv nor its serializer (150 ms of the start, 10 MB), and the
 * bundle has neither: each server needs one. Fastify's types know Ajv's compilers only.
 */
export function schemaController<Schema>(
  validator: FastifySchemaCompiler<Schema>,
): NonNullable<FastifyServerOptions['schemaController']> {
  return {
    compilersFactory: {
      buildValidator: () => validator,
      buildSerializer: () => () => JSON.stringify,
    },
  } as unknown as NonNullable<FastifyServerOptions['schemaController']>;
}
