import { billOfMaterialsFile } from '@countersign/contracts/part-manifest';
import { ReleaseError } from '../platform/release-error.ts';
import { parsePart } from './part-argument.ts';
import { liveVersionOf, requireRecord } from './published-version.ts';
import type { ReleaseCommand } from './release-command.ts';

export const sbomCommand: ReleaseCommand = {
  usage: 'sbom <part> [version]',
  description:
    'print the software bill of materials of a published version, as CycloneDX (default: the live one)',
  isRemote: () => true,
  async run({ words: [word = '', named], open }) {
    const part = parsePart(word);
    const { store } = open();
    const version = named ?? (await liveVersionOf(store, part));
    const { files } = await requireRecord(store, part, version);
    if (!Object.hasOwn(files, billOfMaterialsFile)) {
      throw new ReleaseError(
        `${part} ${version} has no bill of materials. Add ${billOfMaterialsFile} to its build, and publish a new version.`,
      );
    }
    const text = await store.readFile(part, version, billOfMaterialsFile);
    return { json: JSON.parse(text) as unknown, lines: text.trimEnd().split('\n') };
  },
};
