/**
 * An extension as pi's documentation describes one: its tool `ask` uses a model itself and says on
 * its result what that cost. There is no child.
 */

interface Context {
  readonly model: unknown;
  readonly modelRegistry: {
    complete(model: unknown, context: object, options: object): Promise<Answer>;
  };
}

interface Answer {
  readonly content: readonly object[];
  readonly usage: object;
}

interface Tools {
  registerTool(tool: object): void;
}

export default function askingTool(pi: Tools): void {
  pi.registerTool({
    name: 'ask',
    label: 'Ask',
    description: 'Asks a model',
    parameters: {
      type: 'object',
      properties: { question: { type: 'string' } },
      required: ['question'],
    },
    async execute(
      _id: string,
      { question }: { readonly question: string },
      signal: AbortSignal,
      _onUpdate: unknown,
      { model, modelRegistry }: Context,
    ) {
      const messages = [{ role: 'user', content: question, timestamp: Date.now() }];
      const { content, usage } = await modelRegistry.complete(model, { messages }, { signal });
      return { content, details: undefined, usage };
    },
  });
}
