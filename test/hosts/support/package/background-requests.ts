/**
 * An extension that asks the host's model beside the session, as packages do: after each turn by
 * `fetch`, and after each run through the host's model registry where it can (pi 0.87 and newer).
 * Nothing of it is in an entry.
 */

interface Pi {
  on(event: string, handler: (event: unknown, ctx: Context) => unknown): void;
}

interface Context {
  readonly model: { readonly id: string; readonly baseUrl: string };
  readonly modelRegistry: {
    complete?(model: unknown, context: unknown): Promise<unknown>;
  };
}

const prompt = 'SCN:simple#background';

export default function backgroundRequests(pi: Pi): void {
  pi.on('turn_end', async (_event, { model }) => {
    const answer = await fetch(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: model.id,
        stream: true,
        stream_options: { include_usage: true },
        messages: [{ role: 'user', content: prompt }],
      }),
    });
    await answer.text();
    // Neither is a request to a model.
    await (await fetch(`${model.baseUrl}/models`)).text();
    await (await fetch(`${model.baseUrl}/count_tokens`, { method: 'POST', body: '{}' })).text();
  });
  pi.on('agent_end', async (_event, { model, modelRegistry }) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: prompt }], timestamp: 0 }];
    await modelRegistry.complete?.(model, { messages, tools: [] });
  });
}
