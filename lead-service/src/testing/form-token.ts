import { formToken, type FormToken } from '@countersign/contracts/lead';

/** Opens a form. */
export async function openForm({ url }: { readonly url: string }): Promise<FormToken> {
  return formToken.parse(await (await fetch(`${url}/api/form-token`)).json());
}
