/** Examples of each command, for its help and the manual: what is typed, and what it answers. */

type Example = readonly [line: string, what: string];

/** By the command's words: `rejected list`. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  start: [
    ['pi-ledger', 'collect, on the configured port'],
    ['pi-ledger start --port 8000', 'on another port'],
  ],
  report: [
    ['pi-ledger report --since 7d', 'the last week by project'],
    ['pi-ledger report --by day --since 30d --project shop', 'a project, day by day'],
    ['pi-ledger report --by model --csv > models.csv', 'for a spreadsheet'],
    ['pi-ledger report --watch', 'again and again, as it grows'],
  ],
  sessions: [
    ['pi-ledger sessions --limit 5', 'the newest sessions'],
    ['pi-ledger sessions --tree --since today', 'with forks and subagents'],
  ],
  'sessions show': [['pi-ledger sessions show last', 'the newest session']],
  models: [
    ['pi-ledger models --since 30d', 'price, speed and errors of each model'],
    ['pi-ledger models --unpriced', 'models that have no price'],
  ],
  tools: [['pi-ledger tools --project shop', 'calls, failures and duration of each tool']],
  context: [['pi-ledger context last', 'what fills the window of the newest session']],
  compactions: [
    ['pi-ledger compactions --since 7d', 'what each one dropped, cost and saved'],
    ['pi-ledger compactions --did-not-pay', 'those that cost more than they saved'],
  ],
  'compactions show': [['pi-ledger compactions show 01a2092e', 'all about one']],
  quota: [['pi-ledger quota', 'how much of each window is used, and when it ends']],
  insights: [['pi-ledger insights --since 7d', 'what changed, and what it cost']],
  'insights hide': [['pi-ledger insights hide 7c1e', 'not this one again']],
  'insights unhide': [['pi-ledger insights unhide 7c1e', 'again after all']],
  'insights show-hidden': [['pi-ledger insights show-hidden', 'what was hidden']],
  reprice: [['pi-ledger reprice --catalog api.json --by model', 'the same tokens at other prices']],
  label: [['pi-ledger label team=checkout --project shop --since 7d', 'label what was spent']],
  import: [
    ['pi-ledger import', 'all session files of pi and omp'],
    ['pi-ledger import --pi ~/old-sessions --dry-run', 'what a folder would add'],
  ],
  billing: [
    ['pi-ledger billing', 'how each provider is paid'],
    ['pi-ledger billing anthropic=subscription', 'say how'],
  ],
  reconcile: [
    ['pi-ledger reconcile', 'session files against the ledger; exit code 0 if they agree'],
  ],
  rebuild: [['pi-ledger rebuild sessions', 'fold one view anew']],
  export: [
    ['pi-ledger export events.ndjson', 'every event'],
    ['pi-ledger export --focus --since 2026-10-01 costs.csv', 'costs in the format of FOCUS'],
  ],
  'import-events': [['pi-ledger import-events events.ndjson', 'what another ledger exported']],
  copy: [['pi-ledger copy --to sqlite:/backup/ledger.db', 'the ledger to another store']],
  migrate: [['pi-ledger migrate --dry-run', 'what would change']],
  seal: [['pi-ledger seal --before 2026-01-01 --dry-run', 'how much history would be deleted']],
  'rejected list': [['pi-ledger rejected list', 'with the reasons']],
  'rejected retry': [['pi-ledger rejected retry', 'all of them']],
  'rejected remove': [['pi-ledger rejected remove 3 4', 'two of them, for good']],
  'token create': [
    ['pi-ledger token create --user ada --scope ingest --scope read --only-own', 'for a member'],
  ],
  'token list': [['pi-ledger token list', 'who may do what']],
  'token revoke': [['pi-ledger token revoke 01a2092e', 'at once and for good']],
  doctor: [['pi-ledger doctor --deep', 'with every event of the store']],
  'compose-init': [['pi-ledger compose-init', 'write .env for docker compose']],
  demo: [['pi-ledger demo', 'made-up data in a temporary store']],
  completion: [
    ['source <(pi-ledger completion bash)', 'in ~/.bashrc'],
    ['pi-ledger completion man > ~/.local/share/man/man1/pi-ledger.1', 'the manual page'],
  ],
};
