import { Option } from 'commander';
import { readOwnerNames } from '../access/owners.ts';
import { UsageError } from '../platform/release-error.ts';
import { aborted, stopSignal } from '../platform/stop-signal.ts';
import { NothingIsLive } from '../store/release-store.ts';
import type { CommandContext } from './command-context.ts';
import { print, printProgress } from './print.ts';
import type { ReleaseCommand } from './release-command.ts';

export const boardCommand: ReleaseCommand<{ readonly serve?: boolean }> = {
  usage: 'board',
  isRemote: (_words, { serve: isServed }) => !isServed,
  description: 'write the release board: versions, owners, history and figures of the page, for the teams',
  options: [
    new Option(
      '--serve',
      'serve the board on BOARD_PORT (default 3003), and read the figures every five minutes',
    ),
  ],
  async run({ options, open }) {
    const context = open();
    if (options.serve) {
      if (options.json) throw new UsageError('--serve prints no JSON. Remove --serve or --json.');
      await serve(context);
      return undefined;
    }
    const { store, config } = context;
    const { writeBoard, boardKey } = await import('../board/write-board.ts');
    const state = await writeBoard(store, readOwnerNames(config.ownersFile), config.reports, printProgress);
    if (!state) throw new NothingIsLive();
    return {
      // Without the values behind each chart.
      json: JSON.parse(
        JSON.stringify(state, (key, value: unknown) => (key === 'points' ? undefined : value)),
      ),
      lines: `${store.objects.displayName}/${boardKey} shows release ${state.releaseId}`,
    };
  },
};

async function serve({ store, config }: CommandContext): Promise<void> {
  const { serveBoard } = await import('../board/serve-board.ts');
  const stopping = stopSignal();
  const board = await serveBoard(store, config, printProgress);
  const lines = `the release board is on http://127.0.0.1:${board.port} — Ctrl-C stops it`;
  print({ json: undefined, lines }, {});
  await aborted(stopping);
  await board.close();
}
