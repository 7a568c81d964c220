/** How one sets a budget: the lines for config.json. */
import type { JSX } from 'preact';
import { Copy } from '../../parts/copy.tsx';

const lines = `"budgets": [
  { "name": "all", "per": "month", "limit": 400, "in": "metered dollars" },
  { "name": "shop", "project": "shop", "per": "week", "limit": 50, "in": "metered dollars" },
  { "name": "plan", "user": "ada", "per": "month", "limit": 100, "in": "list-price dollars" }
]`;

export function NewBudget(): JSX.Element {
  return (
    <>
      <div class="command">
        <pre>
          <code>{lines}</code>
        </pre>
        <Copy words="Copy" text={() => lines} />
      </div>
      <p class="note">
        In <code>config.json</code> of the collector’s home, read when it starts. Metered and
        subscription money are budgets of their own: never one sum. <code>"per"</code>:{' '}
        <code>day</code>, <code>week</code>, <code>month</code>, <code>14 days</code> with{' '}
        <code>"from": "2026-11-02"</code>, or a subscription’s <code>5h window</code>,{' '}
        <code>week window</code> in <code>percent</code>; <code>"hard": true</code> asks a person
        before the next prompt, <code>"endsHeadlessRuns": true</code> ends runs without one;{' '}
        <code>"warnByForecast": true</code> gives notice when the forecast reaches the limit;{' '}
        <code>"verifiedOnly": true</code> counts only what was sent with a token;{' '}
        <code>"raisedTo": 600, "raisedUntil": "2026-11-30"</code> raises it for some days.
      </p>
    </>
  );
}
