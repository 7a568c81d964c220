/** One failing example is enough for a mutant: shrinking it takes longer than everything else. */
import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });
