/** What a session costs, in the agent's footer: off unless it is wanted. */
import { findSettings } from '@pi-ledger/core/machine/settings-file';
import { lookAtHosts } from '../../../process/hosts/hosts.ts';
import { type SetupStep, topicLine } from '../task.ts';
import { setSettings } from './settings.ts';

export const askFooter: SetupStep = async (setup) => {
  const { terminal, isAsking, questions, say } = setup;
  const isDecided = findSettings(terminal.env).written.file.footer !== undefined;
  const isUsed = lookAtHosts(terminal.env).some((host) => host.isUsed && host.install === null);
  // By default there is none, so nobody to answer means nothing to do.
  if (isDecided || !isUsed || !isAsking) return [];
  return [
    {
      topic: 'footer',
      would: 'ask whether the agent shows what a session costs',
      question: null,
      refused: '',
      async act() {
        const question = "show cost and context in the agent's footer?";
        if (!(await questions.wish(topicLine('footer', question)))) return true;
        setSettings(setup, { footer: true });
        say('footer', 'on, in config.json; uninstall takes it out again');
        return true;
      },
    },
  ];
};
