/** A session whose process sends requests, as the test says. */
import type { RequestListener, WatchRequests } from '../../../../extension/host/request-channel.ts';
import { drive } from '../../support/driven-session.ts';
import { answer } from '../../support/fake-session.ts';

export type Json = Readonly<Record<string, unknown>>;

const origin = 'http://127.0.0.1:8170';

const registryAt = (...baseUrls: readonly string[]) => ({
  isUsingOAuth: () => false,
  getAll: () => baseUrls.map((baseUrl) => ({ provider: 'lab', id: 'm', baseUrl })),
});

export function driveRequests(baseUrl = `${origin}/v1`) {
  let listener: RequestListener | null = null;
  const watchRequests: WatchRequests = (listening) => {
    listener = listening;
    return () => {
      listener = null;
    };
  };
  const driven = drive({ watchRequests });
  const { machine } = driven;
  const overrides = {
    model: { provider: 'lab', id: 'm', contextWindow: 200_000, baseUrl },
    modelRegistry: registryAt(`${baseUrl}`),
  };
  const fire = (trigger: Parameters<typeof driven.fire>[0], event: unknown = {}, more: Json = {}) =>
    driven.fire(trigger, event, { ...overrides, ...more });
  const send = (to = origin) => {
    machine.nowMs += 1;
    return listener?.sent(to) ?? null;
  };
  const request = (to = origin) => {
    const sent = send(to);
    if (sent !== null) listener?.answered(sent);
  };
  const left = () =>
    driven
      .said('pi.requests.observed.v1')
      .reduce((sum, { unexplained, explainedLater }) => sum + unexplained - explainedLater, 0);
  const turn = (entry: Json = answer('r1')) => {
    fire('turn_start');
    request();
    driven.add({ ...entry });
    fire('turn_end');
  };
  const begin = () => {
    fire('before_agent_start');
    fire('agent_start');
  };
  return {
    ...driven,
    fire,
    send,
    request,
    left,
    turn,
    begin,
    settle: () => fire('agent_settled'),
    isListening: () => listener !== null,
    answered: (sent: object) => listener?.answered(sent),
  };
}
