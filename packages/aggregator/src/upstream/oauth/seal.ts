import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Bytes. */
export const keyLength = 32
const ivLength = 12
const tagLength = 16
const format = 'sealed-1:'

/** AES-256-GCM. What is sealed for one purpose does not open for another. */
export function seal(text: string, key: Buffer, purpose: string): string {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return format + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

/** @throws for whatever was not sealed with this key for this purpose */
export function open(sealed: string, key: Buffer, purpose: string): string {
  if (!sealed.startsWith(format)) throw new Error('it is of no known format')
  const bytes = Buffer.from(sealed.slice(format.length), 'base64')
  const tag = bytes.subarray(ivLength, ivLength + tagLength)
  const options = { authTagLength: tagLength }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), options)
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
  const opened = [decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()]
  return Buffer.concat(opened).toString('utf8')
}
