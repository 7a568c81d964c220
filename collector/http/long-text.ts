/**
 * Answers of many pieces. A short one is sent as a whole, and compressed for who accepts that; a
 * long one is sent piece by piece, since making one text of it takes the thread from others.
 */
import { Readable } from 'node:stream';

const wholeCharsMax = 4 * 1024 * 1024;
const piecesAtOnce = 250;

/** A stream whose length is known. */
export class LongText extends Readable {
  readonly chars: number;
  readonly #pieces: readonly string[];
  #next = 0;

  constructor(pieces: readonly string[], chars: number) {
    super();
    this.chars = chars;
    this.#pieces = pieces;
  }

  /** In turns with others: a reader that is fast enough would have all of it in one. */
  override _read(): void {
    setImmediate(() => {
      if (this.destroyed) return;
      const from = this.#next;
      this.#next += piecesAtOnce;
      this.push(from < this.#pieces.length ? this.#pieces.slice(from, this.#next).join('') : null);
    });
  }
}

export function textOrStream(pieces: readonly string[]): string | LongText {
  const chars = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return chars <= wholeCharsMax ? pieces.join('') : new LongText(pieces, chars);
}
