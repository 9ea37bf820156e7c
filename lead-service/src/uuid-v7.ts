import { randomBytes } from 'node:crypto';

/** A UUID of version 7 (RFC 9562): 48 bits of Unix time in milliseconds, then 74 random bits. */
export function uuidV7(milliseconds: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
