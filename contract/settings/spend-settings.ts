/** Settings of what spend is called, whose it is, and how much of it there may be. */
import type { Setting } from './setting.ts';

export const spendSettings = {
  projects: {
    readBy: 'collector',
    type: { is: 'projectRules' },
    default: [],
    meaning:
      'rules for project names, the first match wins: ' +
      '`[{ "match": "shop-*", "as": "shop" }, { "match": "**/scratch/**", "ignore": true }]`; ' +
      'globs over name, remote and directory',
  },
  billing: {
    readBy: 'collector',
    type: { is: 'billing' },
    default: {},
    meaning:
      'how providers are billed if no live session says so: `{ "anthropic": "subscription" }`',
  },
  labels: {
    readBy: 'collector',
    type: { is: 'labelRules' },
    default: [],
    meaning:
      'rules that label spend ([how](docs/labels.md)); globs for `project` and `user`, RE2 for ' +
      '`branch`, whose named groups are labels: ' +
      '`[{ "branch": "(?<ticket>[A-Z]+-[0-9]+)" }, ' +
      '{ "project": "shop*", "set": { "team": "checkout" } }]`',
  },
  pullRequests: {
    readBy: 'collector',
    type: { is: 'pullRequests' },
    default: null,
    meaning:
      'where a branch is called after its pull request: an RE2 expression with a group ' +
      '`(?<number>...)`, for `report --by pr`',
  },
  quota: {
    readBy: 'collector',
    type: { is: 'quota' },
    default: {},
    meaning:
      'limits of a plan where no provider tells them, for each person and by provider: ' +
      '`{ "anthropic": [{ "window": "5h", "limit": 900, "in": "messages", ' +
      '"starts": "first use" }] }`; in `tokens`, `messages` or `list-price dollars`, `rolling` ' +
      'or from the `first use` ([how they are counted](docs/quota.md))',
  },
  budgets: {
    readBy: 'collector',
    type: { is: 'budgets' },
    default: [],
    meaning:
      'what may be spent, by project, user, model, provider or label: ' +
      '`[{ "name": "shop", "project": "shop", "per": "month", "limit": 200, ' +
      '"in": "metered dollars" }]`; in `metered dollars`, `list-price dollars` or `tokens` a ' +
      '`day`, `week` or `month`, or `14 days` `from` a day, or in `percent` of a `5h window` or ' +
      '`week window` ' +
      '([how they are counted](docs/budgets.md)). One that is wrong is left out and named',
    leavesOutWrong: true,
  },
  runBudget: {
    readBy: 'extension',
    variable: 'PI_LEDGER_RUN_BUDGET',
    type: { is: 'allowance' },
    default: null,
    meaning:
      'what one run without a person (print, JSON, RPC) may spend before it ends, without asking ' +
      'a collector: `5 metered dollars`, `5 list-price dollars` or `200000 tokens` ' +
      '([how](docs/budgets.md#one-run))',
    isGuard: true,
    leavesOutWrong: true,
  },
  stopWhenUnreadable: {
    readBy: 'extension',
    variable: 'PI_LEDGER_STOP_WHEN_UNREADABLE',
    type: { is: 'switch' },
    default: false,
    meaning:
      'a run without a person does not start where its `runBudget` cannot be read; by default ' +
      'that is said, and the run goes on and is recorded ([how](docs/budgets.md#one-run))',
    isGuard: true,
    leavesOutWrong: true,
  },
  webhooks: {
    readBy: 'collector',
    type: { is: 'webhooks' },
    default: [],
    meaning:
      'where notices of budgets are sent: `[{ "url": "https://hooks.slack.com/services/...", ' +
      '"format": "slack" }, { "url": "https://ops.example/budgets", "format": "json", ' +
      '"secret": "whsec_..." }]` ([how they are signed and sent again](docs/notices.md)). One ' +
      'that is wrong is left out and named',
    isSecret: true,
    leavesOutWrong: true,
  },
  mail: {
    readBy: 'collector',
    type: { is: 'mail' },
    default: null,
    meaning:
      'who gets notices of budgets by e-mail: ' +
      '`{ "server": "smtps://ledger:PASSWORD@smtp.example", "from": "ledger@example.com", ' +
      '"to": ["lead@example.com"] }` ' +
      '([how it is sent](docs/notices.md#by-e-mail)). A wrong address in `to` is left out and ' +
      'named; if anything else in it is wrong, that is named and no e-mail is sent',
    isSecret: true,
    leavesOutWrong: true,
  },
} as const satisfies Readonly<Record<string, Setting>>;
