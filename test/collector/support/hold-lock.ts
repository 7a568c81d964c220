/**
 * A child of store-lock.test.ts: takes the lock of a store, reports that, and holds it until
 * killed.
 */
import { lockStore } from '../../../collector/stores/sqlite/lock.ts';

const lock = lockStore(process.argv[2] ?? '');
process.stdout.write(lock === null ? 'refused\n' : 'held\n');
if (lock !== null) setInterval(() => undefined, 1_000);
