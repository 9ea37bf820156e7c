import type { Log } from '../../platform/log.ts';
import type { SqliteFailure } from './sqlite-failure.ts';
import type { SqliteReply } from './sqlite-session.ts';

/** Damage of a database file that only an operator can repair, as seen in the results of statements. */
export class FileErrors {
  readonly #name: string;
  readonly #log: Log;
  #damage: SqliteFailure | undefined;
  #removal: SqliteFailure | undefined;

  /** @param name of the file, without its folder, because readiness reports must not reveal paths */
  constructor(name: string, log: Log) {
    this.#name = name;
    this.#log = log;
  }

  /** Set once a damaged page is found. Then the service stores no more leads, because writes may destroy more data. */
  get damage(): SqliteFailure | undefined {
    return this.#damage;
  }

  /** The error and its remedy, as sentences for the operator. */
  get message(): string | undefined {
    const failure = this.#damage ?? this.#removal;
    return failure && this.explain(failure);
  }

  /** Records the result of a statement. A file that is back clears the error; damage stays. */
  note(reply: SqliteReply): void {
    const before = this.message;
    if (reply.kind === 'done') this.#removal = undefined;
    else if (isDamage(reply.failure)) this.#damage ??= reply.failure;
    else if (isRemoval(reply.failure)) this.#removal = reply.failure;
    if (this.message !== undefined && this.message !== before) this.#log.error(this.message);
  }

  /** Sentences for the operator if only an operator can fix the failure, else undefined. */
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
