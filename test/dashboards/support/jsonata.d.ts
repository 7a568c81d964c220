/** What the tests use of it. */
declare module 'jsonata' {
  export default function jsonata(expression: string): {
    evaluate(input: unknown): Promise<unknown>;
  };
}
