import { partNames } from '@countersign/contracts/remotes';
import type { CommanderError } from 'commander';

/** Says what is wrong with the words of a call, and what to do. */
export function usageSentence({ code, message }: CommanderError): string {
  const [, word = ''] = /'([^']*)'/.exec(message) ?? [];
  switch (code) {
    case 'commander.unknownCommand':
      return `There is no command "${word}". "npm run release -- help" lists them.`;
    case 'commander.missingArgument':
      return word === 'part'
        ? `Say which part: ${partNames.join(', ')}.`
        : `Say which ${word}. "--help" after the command shows how it is called.`;
    default: {
      const [first = ''] = message.replace(/^error: /, '').split('\n');
      return `${first.charAt(0).toUpperCase()}${first.slice(1)}. "--help" after the command shows how it is called.`;
    }
  }
}
