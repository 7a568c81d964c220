import { ask } from '../../api/ask.ts';
import type { AsksOfView } from '../view.ts';

export const windowsAsk = ask('/v1/quota');

export const budgetsAsks: AsksOfView = () => [windowsAsk];
