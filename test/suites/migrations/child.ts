/** Migrates a store: `node child.ts MODULE ARGUMENT STEPS`. */
const [module = '', argument = '', steps = ''] = process.argv.slice(2);
const { openStore } = await import(module);
const store = await openStore(JSON.parse(argument));
await store.migrate(JSON.parse(steps));

export {};
