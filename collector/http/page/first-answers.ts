/**
 * Puts into the document what its view asks first, so that it paints with numbers. The built page
 * says what that is: `asksOf(url, now, timeZone)` of its `first-asks.mjs`.
 *
 * Guarantees: the document comes within `waitMsMax` and one answer's time, with the answers that
 * are there by then. Whatever fails, the page asks for itself.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { within } from '../../timers/within.ts';
import { hasLeft } from '../leaving.ts';
import { askRoute } from './ask.ts';

export interface FirstAnswersOptions {
  /** Where the built page is. */
  readonly directory: string;
  readonly now: () => number;
}

export interface FirstAnswers {
  /** Loads what is needed, so that nobody waits for it. Never rejects. */
  load(): Promise<void>;
  /** The document with the answers for this request; as it is where there are none. */
  into(html: string, request: FastifyRequest): Promise<string>;
}

const waitMsMax = 150;
const asksMax = 12;
/** All answers together have at most so many; those of a view are about a tenth. */
const charsMax = 2 * 1024 * 1024;

export function createFirstAnswers(
  app: FastifyInstance,
  { directory, now }: FirstAnswersOptions,
): FirstAnswers {
  let isGathering = false;

  async function asksOf(url: string): Promise<readonly string[]> {
    const loaded: unknown = await import(pathToFileURL(join(directory, 'first-asks.mjs')).href);
    if (typeof loaded !== 'object' || loaded === null || !('asksOf' in loaded)) return [];
    if (typeof loaded.asksOf !== 'function') return [];
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const asks: unknown = loaded.asksOf(url, now(), timeZone);
    return Array.isArray(asks) ? asks.filter((ask) => typeof ask === 'string') : [];
  }

  /** One after the other: the store has one thread, and what is left is not asked in vain. */
  async function gather(
    request: FastifyRequest,
    { into, isOver }: { into: Map<string, string>; isOver(): boolean },
  ): Promise<void> {
    const asks = await asksOf(request.url);
    let chars = 0;
    for (const ask of asks.slice(0, asksMax)) {
      if ((await hasLeft(request.raw.socket)) || isOver()) return;
      const { status, body } = await askRoute(app, request, ask);
      chars += body.length;
      if (isOver() || chars > charsMax) return;
      if (status === 200) into.set(ask, body);
    }
  }

  return {
    async load() {
      await asksOf('/').catch(() => undefined);
    },
    async into(html, request) {
      // A page elsewhere may open this one again and again; and one asks at a time.
      if (isGathering || request.headers['sec-fetch-site'] === 'cross-site') return html;
      isGathering = true;
      const answers = new Map<string, string>();
      let isOver = false;
      request.raw.once('close', () => {
        isOver = true;
      });
      const gathering = gather(request, { into: answers, isOver: () => isOver }).finally(() => {
        isGathering = false;
      });
      // The page says what is wrong when it asks for itself.
      await within(waitMsMax, gathering).catch(() => undefined);
      isOver = true;
      return answers.size === 0
        ? html
        : html.replace('</head>', () => `${element(answers)}</head>`);
    },
  };
}

function element(answers: ReadonlyMap<string, string>): string {
  const fields = [...answers].map(([ask, body]) => `${JSON.stringify(ask)}:${body}`);
  // A name in an answer must not end the element.
  const json = `{${fields.join(',')}}`.replaceAll('<', '\\u003c');
  return `<script type="application/json" id="first-answers">${json}</script>`;
}
