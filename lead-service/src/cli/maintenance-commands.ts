import { Option, type Command } from 'commander';
import { tokenSetting } from '../admin/admin-config.ts';
import { adminScopes, createToken, hashToken, tokenName, type AdminScope } from '../admin/admin-token.ts';
import { invalidRequest } from '../sales/sales-errors.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withDesk } from './open-desk.ts';
import { say, sayJson } from './output.ts';

interface TokenOptions extends JsonOption {
  readonly scope: readonly AdminScope[];
}

/** `token`, `migrate`. */
export function addMaintenanceCommands(program: Command): void {
  program
    .command('token <name>')
    .description('make a token for the administration over HTTP; it is shown once and kept nowhere')
    .addOption(
      new Option('--scope <scopes...>', 'what its holder may do').choices(adminScopes).default(['read']),
    )
    .option(...jsonOption)
    .action((name: string, { scope, json }: TokenOptions) => {
      if (!tokenName.test(name)) {
        throw invalidRequest(
          'A name has 1 to 32 small letters, digits and hyphens, and begins with no hyphen.',
        );
      }
      const token = createToken();
      const setting = tokenSetting({ name, scopes: [...new Set(scope)], hash: hashToken(token) });
      if (json) return sayJson({ name, token, setting });
      say(`Token, for ${name} alone:   ${token}`);
      say(`Add to ADMIN_TOKENS:   ${setting}`);
      say('Entries are separated by commas. Remove an entry and restart the service to take the token back.');
    });
  program
    .command('migrate')
    .description('bring the schema of the database up to date, as the service does at every start')
    .action(async () => {
      const where = await withDesk(async ({ database }) => database.where, { mayCreate: true });
      say(`The schema of ${where} is up to date.`);
    });
}
