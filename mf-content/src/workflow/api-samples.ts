export interface ApiSample {
  readonly title: string;
  readonly code: string;
}

/** Lines are short, because long ones wrap on a phone. */
export const apiSamples: readonly ApiSample[] = [
  {
    title: 'Your request',
    code: `POST /v1/documents HTTP/1.1
Host: api.signing.example
Authorization: Bearer YOUR_KEY

{
  "template": "supply-agreement",
  "storage": "own-bucket",
  "order": "sequential",
  "signers": [
    { "name": "Amara Osei" },
    { "name": "Jonas Berg" },
    { "name": "Priya Raman" }
  ]
}`,
  },
  {
    title: 'Our webhook',
    code: `POST /hooks/signing HTTP/1.1
Host: erp.customer.example
Signature: t=1718013420,v1=5c0e7a

{
  "event": "signer.signed",
  "document": "doc_8Kq2",
  "signer": "Amara Osei",
  "next": "Jonas Berg",
  "remaining": 2
}`,
  },
];
