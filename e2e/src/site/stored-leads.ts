import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Columns of the service's database that the page determines.
 *
 * @public Named by the declarations of what reads them.
 */
export interface StoredLead {
  readonly type: string;
  readonly name: string;
  readonly email: string;
  readonly company: string | null;
  readonly message: string;
  /** Release of the page that sent it. */
  readonly releaseId: string | null;
  readonly attribution: unknown;
}

/** The stored attribution, as JSON. */
type LeadRow = Omit<StoredLead, 'attribution'> & { readonly attribution: string };

/** All leads that a site has stored in its data directory, oldest first. */
export function readLeads(dataDirectory: string): readonly StoredLead[] {
  const database = new DatabaseSync(join(dataDirectory, 'leads', 'leads.sqlite'), {
    readOnly: true,
    timeout: 30_000,
  });
  try {
    const columns = 'type, name, email, company, message, release_id as releaseId, attribution';
    const rows = database.prepare(`select ${columns} from leads order by id`).all();
    return (rows as unknown as LeadRow[]).map((row) => ({
      ...row,
      attribution: JSON.parse(row.attribution) as unknown,
    }));
  } finally {
    database.close();
  }
}
