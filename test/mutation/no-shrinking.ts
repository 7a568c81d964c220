/**
 * One run that fails is enough for a mutant: to look for the smallest one takes longer than all
 * else.
 */
import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });
