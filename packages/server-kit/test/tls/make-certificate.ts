import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../base/test/temporary-folder.ts'

/** Node can read certificates, but not write them: this does, as far as tests need (RFC 5280). */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts)
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content)
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'))
const commonName = hex('0603550403')
const subjectAltName = hex('0603551d11')
const basicConstraints = hex('0603551d13')
const nameOf = (text: string): Buffer =>
  sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(text)))))
/** `YYMMDDhhmmssZ`. */
const timeOf = (time: number): Buffer =>
  der(0x17, Buffer.from(new Date(time).toISOString().replace(/^..|[-:T]|\.\d+/g, '')))
const pem = (content: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${content.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`

export interface Certificate {
  name: string
  cert: string
  key: string
  privateKey: KeyObject
  /** As Node shows it. */
  serial: string
}

interface Wanted {
  name?: string
  /** Default: itself. */
  issuer?: Certificate
  isAuthority?: boolean
  /** Milliseconds from now. */
  validFor?: number
  dnsName?: string
}

const day = 86_400_000
let serials = 16

/** A certificate of 127.0.0.1 and a DNS name, with a key of its own. */
export function makeCertificate(wanted: Wanted = {}): Certificate {
  const { name = 'localhost', issuer, isAuthority, validFor = day, dnsName = 'localhost' } = wanted
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const serial = serials++
  const names = sequence(der(0x82, Buffer.from(dnsName)), der(0x87, Buffer.from([127, 0, 0, 1])))
  const authority = sequence(der(0x01, Buffer.from([0xff])))
  const content = sequence(
    der(0xa0, hex('020102')),
    der(0x02, Buffer.from([serial])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    sequence(timeOf(Date.now() - 2 * day), timeOf(Date.now() + validFor)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        isAuthority
          ? sequence(basicConstraints, der(0x04, authority))
          : sequence(subjectAltName, der(0x04, names)),
      ),
    ),
  )
  const signature = sign('sha256', content, issuer?.privateKey ?? privateKey)
  return {
    name,
    privateKey,
    cert: pem(sequence(content, ecdsaWithSha256, bits(signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    serial: serial.toString(16).toUpperCase(),
  }
}

/** Writes a pair into a folder, and later others in its place. */
export function writeCertificate(folder: string, given: Certificate = makeCertificate()) {
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const write = ({ cert, key }: Certificate): void => {
    writeFileSync(files.cert, cert)
    writeFileSync(files.key, key)
  }
  write(given)
  return { ...given, files, write }
}

/** Writes a pair into a folder of the test. */
export function plantCertificate(given?: Certificate) {
  const folder = temporaryFolder(onTestFinished)
  return writeCertificate(folder, given)
}
