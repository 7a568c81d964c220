/**
 * The conventions' names of providers (`gen_ai.provider.name`), by the hosts' own names. A provider
 * that the conventions do not name keeps the host's.
 */
const conventionNames: ReadonlyMap<string, string> = new Map([
  ['amazon-bedrock', 'aws.bedrock'],
  ['bedrock', 'aws.bedrock'],
  ['azure-openai', 'azure.ai.openai'],
  ['azure-openai-responses', 'azure.ai.openai'],
  ['google', 'gcp.gemini'],
  ['google-gemini-cli', 'gcp.gemini'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
  ['moonshot', 'moonshot_ai'],
  ['moonshotai', 'moonshot_ai'],
  ['openai-codex', 'openai'],
  ['xai', 'x_ai'],
]);

export function providerName(provider: string): string {
  return conventionNames.get(provider) ?? provider;
}
