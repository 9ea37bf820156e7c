/** What the tests use of a package that comes without types. */
declare module '@20minutes/s3rver' {
  interface Options {
    readonly directory: string;
    readonly address: string;
    readonly port: number;
    readonly silent: boolean;
    readonly allowMismatchedSignatures: boolean;
    readonly configureBuckets: readonly { readonly name: string }[];
  }
  class S3rver {
    constructor(options: Options);
    run(): Promise<{ readonly port: number }>;
  }
  export default S3rver;
}
