/**
 * One failing example is enough for a mutant: shrinking it takes longer than everything else. And a
 * property that has not noticed a mutant for this long gives up: the mutant survives it.
 */
import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 3_000 });
