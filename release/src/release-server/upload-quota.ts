import { statfs } from 'node:fs/promises';
import type { PartName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../store/release-error.ts';

/** In bytes. A build may have 100 MB. The reserve is what no build may use, so that changes of the page always fit. */
const quotas = { ofPartPerDay: 2_000_000_000, reserve: 500_000_000 };
/** A build is received, stored, and stored compressed. */
const copies = 3;

/** Keeps the builds of one part from filling the disk that all parts share. Counts from the start of the server. */
export class UploadQuota {
  readonly #folder: string;
  readonly #quotas: typeof quotas;
  #day = '';
  readonly #sent = new Map<PartName, number>();

  /** @param folder on the disk of the store */
  constructor(folder: string, limits = quotas) {
    this.#folder = folder;
    this.#quotas = limits;
  }

  /** Counts a build before it is received. Throws a {@link ReleaseError} if there is no room for it. */
  async admit(part: PartName, bytes: number): Promise<void> {
    const today = new Date().toISOString().slice(0, 10);
    if (today !== this.#day) this.#sent.clear();
    this.#day = today;
    const sent = (this.#sent.get(part) ?? 0) + bytes;
    if (sent > this.#quotas.ofPartPerDay) {
      throw new ReleaseError(`The builds of ${part} have used up their bytes of today. Publish it tomorrow.`);
    }
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize - copies * bytes < this.#quotas.reserve) {
      throw new ReleaseError(
        'The disk of the release server has no room for another build. Ask its operator to free some space.',
      );
    }
    this.#sent.set(part, sent);
  }
}
