import type { Log } from '../log.ts';
import type { SqliteFailure } from './sqlite-failure.ts';
import type { SqliteReply } from './sqlite-session.ts';

/** What is wrong with a database file until a person mends it, as far as its statements have shown. */
export class FileFaults {
  readonly #name: string;
  readonly #log: Log;
  #damage: SqliteFailure | undefined;
  #removal: SqliteFailure | undefined;

  /** @param name of the file, without its folder: who asks for readiness need not know that */
  constructor(name: string, log: Log) {
    this.#name = name;
    this.#log = log;
  }

  /** Set from the first page on that was found damaged. Writing into such a file may destroy more of it. */
  get damage(): SqliteFailure | undefined {
    return this.#damage;
  }

  /** What is wrong and what to do, as sentences for the operator. */
  get message(): string | undefined {
    const fault = this.#damage ?? this.#removal;
    return fault && this.explain(fault);
  }

  /** Notes how a statement has ended. A file that is back is no fault any more; damage stays. */
  note(reply: SqliteReply): void {
    const before = this.message;
    if (reply.kind === 'done') this.#removal = undefined;
    else if (isDamage(reply.failure)) this.#damage ??= reply.failure;
    else if (isRemoval(reply.failure)) this.#removal = reply.failure;
    if (this.message !== undefined && this.message !== before) this.#log.error(this.message);
  }

  /** Sentences for the operator, if the failure is one that only a person can mend. */
  explain(failure: Pick<SqliteFailure, 'code' | 'message'>): string | undefined {
    if (isRemoval(failure)) return failure.message;
    if (!isDamage(failure)) return undefined;
    return `${this.#name} is damaged (${failure.message}), so nothing more is stored in it. Stop the service, copy its folder, and restore a backup or what "sqlite3 ${this.#name} .recover" finds.`;
  }
}

function isDamage({ code }: Pick<SqliteFailure, 'code'>): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code ?? '');
}

function isRemoval({ code }: Pick<SqliteFailure, 'code'>): boolean {
  return code === 'SQLITE_READONLY_DBMOVED';
}
