import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Bytes. */
export const keyLength = 32
const ivLength = 12
const tagLength = 16
const format = 'sealed-1:'

/** Encrypts with AES-256-GCM; `purpose` is authenticated data and must be the same for `open`. */
export function encrypt(text: string, key: Buffer, purpose: string): string {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return format + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** @throws {Error} if the text was not encrypted with this key and purpose */
export function open(sealed: string, key: Buffer, purpose: string): string {
  if (!sealed.startsWith(format)) throw new Error('the format is unknown')
  const bytes = Buffer.from(sealed.slice(format.length), 'base64')
  const tag = bytes.subarray(ivLength, ivLength + tagLength)
  const options = { authTagLength: tagLength }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), options)
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
  const opened = [decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()]
  return Buffer.concat(opened).toString('utf8')
}
