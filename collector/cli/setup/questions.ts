/** Questions with a default, which an empty line takes. */
import type { Terminal } from '../command.ts';

export interface Questions {
  /** False: it is refused. The default is yes. Throws `StoppedError`. */
  agree(question: string): Promise<boolean>;
  /** Like `agree`, but the default is no. */
  wish(question: string): Promise<boolean>;
  /** The name whose first letter, or more, was typed; null, the default: none, or no. */
  choose<Name extends string>(question: string, names: readonly Name[]): Promise<Name | null>;
  /** Whether this word was typed; there is no default. */
  confirm(question: string, word: string): Promise<boolean>;
}

/** Input ended: no more answers come. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** Takes each default; what has none is refused. */
export const defaultAnswers: Questions = {
  agree: async () => true,
  wish: async () => false,
  choose: async () => null,
  confirm: async () => false,
};

/** Asks again where an answer is none of the expected. */
export function askOn(ask: NonNullable<Terminal['ask']>): Questions {
  const answerTo = async (question: string): Promise<string> => {
    const answer = await ask(question);
    if (answer === null) throw new StoppedError();
    return answer.trim().toLowerCase();
  };
  const yesOrNo = async (question: string, otherwise: boolean): Promise<boolean> => {
    for (let asked = question; ; asked = `y or n, please. ${question}`) {
      const answer = await answerTo(asked);
      if (answer === '') return otherwise;
      if (/^(y|yes)$/.test(answer)) return true;
      if (/^(n|no)$/.test(answer)) return false;
    }
  };
  return {
    agree: (question) => yesOrNo(`${question} [Y/n] `, true),
    wish: (question) => yesOrNo(`${question} [y/N] `, false),
    async choose(question, names) {
      const again = `${names.join(' or ')}, or Enter, please. ${question} `;
      for (let asked = `${question} `; ; asked = again) {
        const answer = await answerTo(asked);
        if (/^(n|no)?$/.test(answer)) return null;
        const name = names.find((each) => each.startsWith(answer));
        if (name !== undefined) return name;
      }
    },
    confirm: async (question, word) => (await answerTo(`${question} `)) === word,
  };
}
