/**
 * What a host asked of the model, in one shape for both APIs, and which scenario that is.
 *
 * The state of a scenario is derived from the request alone (how many answers lie behind the prompt
 * that names it), so that any number of hosts, forks and subagents can share a server without
 * telling it who they are.
 */

export type Api = 'openai' | 'anthropic';

interface Turn {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/**
 * Why the host asked: a turn of its agent, a compaction or branch summary, or some small question
 * of its own.
 */
export type Purpose = 'turn' | 'summary' | 'side';

interface Scenario {
  readonly name: string;
  readonly args: readonly string[];
  /** Free label after `#`, to tell prompts of the same scenario apart. */
  readonly tag: string;
}

interface ToolOffer {
  readonly name: string;
  readonly properties: readonly string[];
}

export interface Conversation {
  readonly api: Api;
  readonly model: string;
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly ToolOffer[];
  readonly purpose: Purpose;
  readonly scenario: Scenario;
  /** Text of the user turn that names the scenario. */
  readonly prompt: string;
  /** How many answers of the model lie behind that prompt. */
  readonly step: number;
  /** Tool results since that prompt, oldest first. */
  readonly results: readonly string[];
}

/** Contract: throws on a body that is no chat request; the server answers that with a 400. */
export function readConversation(api: Api, body: unknown): Conversation {
  const request = asRecord(body);
  const turns = asArray(request.messages).flatMap((message) => turnsOf(asRecord(message)));
  const system =
    api === 'anthropic' ? textOf(request.system) : systemText(asArray(request.messages));
  const tools = asArray(request.tools).map(toolOffer);
  const at = turns.findLastIndex((turn) => turn.role === 'user' && marker.test(turn.text));
  const since = turns.slice(at + 1);
  const prompt = turns[at]?.text ?? '';
  return {
    api,
    model: String(request.model),
    system,
    turns,
    tools,
    purpose: purposeOf(system, tools),
    scenario: scenarioIn(prompt),
    prompt,
    step: since.filter((turn) => turn.role === 'assistant').length,
    results: since.filter((turn) => turn.role === 'tool').map((turn) => turn.text),
  };
}

const marker = /SCN:([a-z]+)((?::[A-Za-z0-9_,=+/.-]+)*)(?:#([A-Za-z0-9_-]+))?/;

/**
 * Without a marker (a compaction can remove the prompt) the agent gets a simple answer and ends.
 */
function scenarioIn(prompt: string): Scenario {
  const match = marker.exec(prompt);
  return {
    name: match?.[1] ?? 'simple',
    args: match?.[2]?.split(':').slice(1) ?? [],
    tag: match?.[3] ?? '',
  };
}

/**
 * Only an agent is offered tools. Summaries and side questions quote prompts, markers included, and
 * play no scenario.
 */
function purposeOf(system: string, tools: readonly ToolOffer[]): Purpose {
  if (tools.length > 0) return 'turn';
  return /summari[sz]/i.test(system.slice(0, 200)) ? 'summary' : 'side';
}

function systemText(messages: readonly unknown[]): string {
  const system = messages
    .map(asRecord)
    .filter(({ role }) => role === 'system' || role === 'developer');
  return system.map(({ content }) => textOf(content)).join('\n');
}

/**
 * Anthropic puts tool results into user messages, next to text or alone; OpenAI gives them a role.
 */
function turnsOf(message: Readonly<Record<string, unknown>>): Turn[] {
  const { role, content } = message;
  if (role === 'assistant') return [{ role, text: textOf(content) }];
  if (role === 'tool') return [{ role, text: textOf(content) }];
  if (role !== 'user') return [];
  if (typeof content === 'string') return [{ role, text: content }];
  return asArray(content).map((block): Turn => {
    const { type, content: inner } = asRecord(block);
    return type === 'tool_result'
      ? { role: 'tool', text: textOf(inner) }
      : { role: 'user', text: textOf([block]) };
  });
}

function toolOffer(tool: unknown): ToolOffer {
  const offer = asRecord(tool);
  const definition = offer.function === undefined ? offer : asRecord(offer.function);
  const schema = asRecord(definition.parameters ?? definition.input_schema ?? {});
  return {
    name: String(definition.name),
    properties: Object.keys(asRecord(schema.properties ?? {})),
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => asRecord(block).text ?? '').join('\n');
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError('not a chat request');
  return value as Readonly<Record<string, unknown>>;
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
