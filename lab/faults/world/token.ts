import type { Program } from './program.ts';

/** Of a new token for agents, by the one that commands on its machine use. */
export async function createToken(program: Program): Promise<string> {
  const answer = await fetch(`${program.url()}/v1/tokens`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${program.machineToken()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ user: 'ada', scopes: ['ingest'] }),
  });
  return ((await answer.json()) as { readonly token: string }).token;
}
