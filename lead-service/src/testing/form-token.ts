import { formToken, type FormToken } from '@countersign/contracts/lead';

/** Requests a form token, like a form that opens. */
export async function openForm({ url }: { readonly url: string }): Promise<FormToken> {
  return formToken.parse(await (await fetch(`${url}/api/form-token`)).json());
}
