/** Commands as they are typed on the collector's machine, in any folder. */
import type { JSX } from 'preact';
import { standing } from '../app/asks.ts';
import { beginning, inText } from '../format/command.ts';
import { useAnswer } from '../state/page.ts';
import { Copy } from './copy.tsx';

/** How they begin: as the collector says, which does not tell who may be elsewhere. */
function useOwnCommand(): string {
  return useAnswer(standing).answer?.command ?? 'pi-ledger';
}

/** `<Command words="import" />` */
export function Command({ words }: { words: string }): JSX.Element {
  return <code>{`${useOwnCommand()} ${words}`}</code>;
}

/** One or several that begin with `pi-ledger`. */
export function Commands({ of }: { of: string | readonly string[] }): JSX.Element {
  const own = useOwnCommand();
  return (
    <code>
      {[of]
        .flat()
        .map((each) => beginning(own, each))
        .join('; ')}
    </code>
  );
}

/** Copies one that begins with `pi-ledger`. */
export function CopyCommand({
  of,
  words = 'Command',
}: {
  of(): string;
  words?: string;
}): JSX.Element {
  const own = useOwnCommand();
  return <Copy words={words} text={() => beginning(own, of())} />;
}

/** A sentence of the collector, which has its commands in backticks. */
export function useTyped(): (text: string) => string {
  const own = useOwnCommand();
  return (text) => inText(own, text);
}
