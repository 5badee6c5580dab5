import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext, type SecureContextOptions, type Server } from 'node:tls'
import { HttpEndpointError } from './protocol/http-endpoint-error.ts'

/** PEM files: the certificate of the server with its chain, and its private key. */
export interface TlsFiles {
  cert: string
  key: string
  /** Milliseconds between looks for new files. Default 1,000. */
  lookMs?: number
}

/** `level` is `warn` for what someone should change. */
export type OnLog = (text: string, level?: 'warn') => void

const defaultLookMs = 1_000
/** A chain has some kilobytes. */
const maxBytes = 1024 * 1024

const remedies = {
  'tls-cert': 'Pass a PEM file with the certificate of the server, and after it its chain.',
  'tls-key': 'Pass a PEM file with its private key, without a passphrase.',
} as const

/**
 * Reads the pair, and from `follow` on again whenever a file changes. A new pair serves new
 * connections; in place of one that cannot be used, the old pair stays. @throws {HttpEndpointError}
 * `bad_tls`
 */
export async function openTlsFiles(files: TlsFiles, onLog: OnLog) {
  let lastStamps = await stampsOf(files)
  let inUse = await readPair(files)
  warnOfDates(inUse.certificate, files, onLog)

  async function replace(server: Server): Promise<void> {
    try {
      inUse = await readPair(files)
      server.setSecureContext(inUse.options)
      onLog(`The certificate was replaced. ${describe(inUse.certificate)}`)
      warnOfDates(inUse.certificate, files, onLog)
    } catch (error) {
      const { message } = error as Error
      onLog(`${message} The old certificate stays. ${describe(inUse.certificate)}`, 'warn')
    }
  }

  return {
    options: inUse.options,
    /** Returns what ends following. */
    follow(server: Server): () => void {
      let isChanging = false
      let isLooking = false
      const look = async (): Promise<void> => {
        if (isLooking) return
        isLooking = true
        const stamps = await stampsOf(files)
        // One file is written after the other: both have to be the same for two looks.
        if (stamps === lastStamps && isChanging) await replace(server)
        isChanging = stamps !== lastStamps
        lastStamps = stamps
        isLooking = false
      }
      const timer = setInterval(() => void look(), files.lookMs ?? defaultLookMs).unref()
      return () => clearInterval(timer)
    },
  }
}

const describe = ({ serialNumber, validTo }: X509Certificate): string =>
  `The one in use has the serial number ${serialNumber} and ends on ${validTo}.`

/** Changes of content, of the file behind a link, and of rights. */
const stampsOf = async ({ cert, key }: TlsFiles): Promise<string> =>
  (
    await Promise.all(
      [cert, key].map((path) =>
        stat(path).then(
          ({ mtimeMs, ctimeMs, size, ino }) => `${mtimeMs} ${ctimeMs} ${size} ${ino}`,
          () => '',
        ),
      ),
    )
  ).join('|')

/** @throws {HttpEndpointError} `bad_tls` */
async function readPair({ cert: certPath, key: keyPath }: TlsFiles) {
  const cert = await read('tls-cert', certPath)
  const key = await read('tls-key', keyPath)
  const certificate = parse('tls-cert', certPath, () => new X509Certificate(cert))
  const isFitting = certificate.checkPrivateKey(parseKey(keyPath, key))
  if (!isFitting)
    throw new HttpEndpointError(
      'bad_tls',
      `--tls-key: ${JSON.stringify(keyPath)} is not the key of the first certificate in ${JSON.stringify(certPath)}. Pass the key of that certificate; the chain comes after it.`,
    )
  const options: SecureContextOptions = { cert, key, minVersion: 'TLSv1.2' }
  parse('tls-cert', certPath, () => createSecureContext(options))
  return { certificate, options }
}

const parseKey = (path: string, key: Buffer): KeyObject =>
  parse('tls-key', path, () => createPrivateKey(key))

function parse<T>(flag: keyof typeof remedies, path: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    return fail(flag, path, `cannot be used (${(error as NodeJS.ErrnoException).code})`, error)
  }
}

async function read(flag: keyof typeof remedies, path: string): Promise<Buffer> {
  const problem = (error: NodeJS.ErrnoException): string =>
    error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`
  try {
    const stats = await stat(path)
    if (!stats.isFile()) return fail(flag, path, 'is not a file')
    if (stats.size > maxBytes) return fail(flag, path, `has more than ${maxBytes} bytes`)
    return await readFile(path)
  } catch (error) {
    if (error instanceof HttpEndpointError) throw error
    return fail(flag, path, problem(error as NodeJS.ErrnoException), error)
  }
}

function fail(flag: keyof typeof remedies, path: string, why: string, cause?: unknown): never {
  const message = `--${flag}: ${JSON.stringify(path)} ${why}. ${remedies[flag]}`
  throw new HttpEndpointError('bad_tls', message, cause)
}

function warnOfDates({ validFrom, validTo }: X509Certificate, { cert }: TlsFiles, onLog: OnLog) {
  const path = JSON.stringify(cert)
  const remedy = 'Clients reject it. Replace the file; it is read again.'
  if (Date.parse(validTo) < Date.now())
    onLog(`--tls-cert: ${path} ended on ${validTo}. ${remedy}`, 'warn')
  else if (Date.parse(validFrom) > Date.now())
    onLog(`--tls-cert: ${path} begins on ${validFrom}. ${remedy}`, 'warn')
}
