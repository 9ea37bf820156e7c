/** Name of the query parameter that carries a developer override: `?override=<token>`. */
export const overrideParameter = 'override';
