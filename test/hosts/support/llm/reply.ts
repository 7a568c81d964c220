/** The fake model's answer, before it is converted to an API's format. */

export type Block =
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool';
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    };

export type Reply =
  | {
      readonly kind: 'message';
      readonly blocks: readonly Block[];
      /** Pause before each word of text; 0 sends everything at once. */
      readonly wordDelayMs: number;
      /** Reports a usage that overflows the small model's window. */
      readonly big: boolean;
    }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly type: string;
      readonly message: string;
    }
  /** Some words of text, then the socket is destroyed: no usage, no end. */
  | { readonly kind: 'drop'; readonly text: string };

export function say(...blocks: readonly (Block | string)[]): Reply {
  return { kind: 'message', blocks: blocks.map(asBlock), wordDelayMs: 0, big: false };
}

export function hasTool(blocks: readonly Block[]): boolean {
  return blocks.some((block) => block.type === 'tool');
}

function asBlock(block: Block | string): Block {
  return typeof block === 'string' ? { type: 'text', text: block } : block;
}
