import { describe, expect, it, vi } from 'vitest';
import { createAnswers } from '../../../../dashboards/web/api/answers.ts';
import type { Client, Outcome } from '../../../../dashboards/web/api/client.ts';

/** A client whose requests are answered by hand. */
function scripted() {
  const requests: { urls: readonly string[]; answer(outcomes: readonly Outcome[]): void }[] = [];
  const client: Pick<Client, 'askAll'> = {
    askAll: (urls) =>
      new Promise((answer) => {
        requests.push({ urls, answer });
      }),
  };
  const heard: Outcome[] = [];
  const answers = createAnswers({
    client,
    first: new Map([['/v1/known', 'first']]),
    now: () => 42,
    onOutcome: (outcome) => heard.push(outcome),
  });
  return { requests, answers, heard };
}

const answered = (body: unknown): Outcome => ({ is: 'answered', body });
const failed: Outcome = { is: 'failed', problem: { is: 'refused', message: 'No.' } };
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('answers', () => {
  it('that the page came with are there at once, and asked for by nobody', async () => {
    const { requests, answers } = scripted();
    answers.watch('/v1/known', vi.fn());
    await settled();
    expect(answers.read('/v1/known')).toEqual({
      answer: 'first',
      problem: null,
      isAsking: false,
      at: 42,
    });
    expect(requests).toEqual([]);
  });

  it('to what reads far more than the rest delay nothing else', async () => {
    const { requests, answers } = scripted();
    for (const url of ['/v1/insights?limit=10', '/v1/a']) answers.watch(url, vi.fn());
    await settled();
    expect(requests.map(({ urls }) => urls)).toEqual([['/v1/a'], ['/v1/insights?limit=10']]);
    requests[0]?.answer([answered(1)]);
    await settled();
    expect(answers.read('/v1/a').answer).toBe(1);
  });

  it('that are asked for in one go are one request, each once', async () => {
    const { requests, answers } = scripted();
    const listener = vi.fn();
    for (const url of ['/v1/a', '/v1/b', '/v1/a']) answers.watch(url, listener);
    await settled();
    expect(requests.map(({ urls }) => urls)).toEqual([['/v1/a', '/v1/b']]);
    requests[0]?.answer([answered(1), answered(2)]);
    await settled();
    expect([answers.read('/v1/a').answer, answers.read('/v1/b').answer]).toEqual([1, 2]);
    expect(listener).toHaveBeenCalled();
  });

  it('stay while newer ones are asked for, and when these fail', async () => {
    const { requests, answers, heard } = scripted();
    answers.watch('/v1/known', vi.fn());
    const refreshed = answers.refresh();
    await settled();
    expect(answers.read('/v1/known')).toMatchObject({ answer: 'first', isAsking: true });
    requests[0]?.answer([failed]);
    await refreshed;
    expect(answers.read('/v1/known')).toMatchObject({
      answer: 'first',
      isAsking: false,
      problem: { message: 'No.' },
    });
    expect(heard).toEqual([failed]);
  });

  it('that nobody watches any more are not asked for again', async () => {
    const { requests, answers } = scripted();
    const stop = answers.watch('/v1/known', vi.fn());
    stop();
    void answers.refresh();
    await settled();
    expect(requests).toEqual([]);
  });

  it('that nobody gave are known as such, until they come', async () => {
    const { requests, answers } = scripted();
    answers.watch('/v1/known', vi.fn());
    void answers.refresh();
    await settled();
    requests[0]?.answer([{ is: 'failed', problem: { is: 'offline', message: 'Nobody.' } }]);
    await settled();
    expect(answers.isUnanswered()).toBe(true);
    void answers.refresh();
    await settled();
    requests[1]?.answer([answered('new')]);
    await settled();
    expect(answers.isUnanswered()).toBe(false);
  });

  it('are asked for again one by one', async () => {
    const { requests, answers } = scripted();
    for (const url of ['/v1/known', '/v1/b']) answers.watch(url, vi.fn());
    await settled();
    requests[0]?.answer([answered(1)]);
    await settled();
    answers.askAgain('/v1/known');
    await settled();
    expect(requests.map(({ urls }) => urls)).toEqual([['/v1/b'], ['/v1/known']]);
  });

  it('that nobody watches yet outlast a refresh, and are asked for by who does', async () => {
    const { requests, answers } = scripted();
    void answers.refresh();
    expect(answers.read('/v1/known').answer).toBe('first');
    answers.watch('/v1/known', vi.fn());
    await settled();
    expect(answers.read('/v1/known')).toMatchObject({ answer: 'first', isAsking: true });
    requests[0]?.answer([answered('new')]);
    await settled();
    answers.watch('/v1/known', vi.fn());
    await settled();
    expect(answers.read('/v1/known').answer).toBe('new');
    expect(requests).toHaveLength(1);
  });

  it('of somebody who has signed out are forgotten, those under way as well', async () => {
    const { requests, answers, heard } = scripted();
    answers.watch('/v1/a', vi.fn());
    await settled();
    answers.clear();
    requests[0]?.answer([answered('theirs')]);
    await settled();
    expect(answers.read('/v1/known').answer).toBeNull();
    expect(answers.read('/v1/a').answer).toBeNull();
    expect(heard).toEqual([]);
    void answers.refresh();
    await settled();
    expect(requests[1]?.urls).toEqual(['/v1/a']);
  });
});
