import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { open as openZip } from 'yauzl'
import { DocsError } from '../common/docs-error.ts'
import { formatOfFile } from '../common/page-format.ts'
import { quoteValue } from '../common/quote-value.ts'

const mostFiles = 100_000
const mostBytes = 4 * 2 ** 30
const mostBytesOfPage = 64 * 2 ** 20

export const isArchive = (path: string): boolean => /\.(?:zip|tar\.gz|tgz|tar)$/i.test(path)

/**
 * Unpack the pages of a documentation build into a folder, once: a second time it is found there.
 * Links and names that lead outside are left out, and so is what is no page.
 *
 * @throws {DocsError} `unsupported_type` if it is no archive, `too_large` past 100,000 pages or 4 GB.
 */
export async function unpack(archive: string, into: string): Promise<string> {
  const { mtimeMs, size } = await stat(archive)
  const folder = join(into, `${mtimeMs}-${size}`)
  await removeOld(into, folder)
  if (await stat(folder).catch(() => undefined)) return folder
  await mkdir(into, { recursive: true })
  const partial = await mkdtemp(join(into, 'partial-'))
  const writer = createWriter(archive, partial)
  try {
    if (/\.zip$/i.test(archive)) await readZip(archive, writer)
    else await readTar(archive, writer)
    // It has its name only when it is whole; of two processes, one is first.
    await rename(partial, folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      await rm(partial, { recursive: true, force: true })
    })
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error instanceof DocsError ? error : notAnArchive(archive, error)
  }
  return folder
}

/** What is left of former versions of the archive, and of processes that were killed. */
const keptMs = 24 * 60 * 60_000

async function removeOld(into: string, folder: string): Promise<void> {
  for (const name of await readdir(into).catch(() => [])) {
    const path = join(into, name)
    const stats = await stat(path).catch(() => undefined)
    if (path !== folder && stats && Date.now() - stats.mtimeMs > keptMs)
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

interface Writer {
  /** Where to put an entry; undefined for one that is not wanted. */
  placeOf(name: string, size: number): string | undefined
  write(path: string, content: AsyncIterable<Buffer>): Promise<void>
}

function createWriter(archive: string, folder: string): Writer {
  let files = 0
  let bytes = 0
  return {
    placeOf(name, size) {
      const path = join(folder, name)
      if (relative(folder, path).startsWith('..') || !formatOfFile(name)) return undefined
      if (size > mostBytesOfPage) return undefined
      files++
      bytes += size
      if (files > mostFiles || bytes > mostBytes) throw tooLarge(archive)
      return path
    },
    async write(path, content) {
      let size = 0
      await mkdir(dirname(path), { recursive: true }).catch(ignoreNames)
      await pipeline(
        content,
        async function* (parts: AsyncIterable<Buffer>) {
          for await (const part of parts) {
            size += part.length
            // What an archive says of its sizes need not be true.
            if (size > mostBytesOfPage) throw tooLarge(archive)
            yield part
          }
        },
        createWriteStream(path),
      ).catch(ignoreNames)
    },
  }
}

/** One name that the disk does not take is no reason to leave out the others. */
function ignoreNames(error: NodeJS.ErrnoException): void {
  if (!/^(?:ENAMETOOLONG|ENOTDIR|EISDIR|EEXIST|EINVAL)$/.test(error.code ?? '')) throw error
}

async function readTar(archive: string, writer: Writer): Promise<void> {
  const entries = extract()
  const isPacked = !/\.tar$/i.test(archive)
  const reading = isPacked
    ? pipeline(createReadStream(archive), createGunzip(), entries)
    : pipeline(createReadStream(archive), entries)
  const writing = (async () => {
    for await (const entry of entries) {
      const { name, type, size = 0 } = entry.header
      const path = type === 'file' ? writer.placeOf(name, size) : undefined
      if (path === undefined) entry.resume()
      else {
        await writer.write(path, entry as AsyncIterable<Buffer>)
        entry.resume()
      }
    }
  })()
  await Promise.all([reading, writing])
}

function readZip(archive: string, writer: Writer): Promise<void> {
  return new Promise((resolve, reject) => {
    // Names are judged here: one that leads outside is left out, and not all the others with it.
    openZip(archive, { lazyEntries: true, decodeStrings: false }, (error, zip) => {
      if (error) return reject(error)
      zip.on('error', reject)
      zip.on('end', () => resolve())
      zip.on('entry', (entry) => {
        const unixType = (entry.externalFileAttributes >>> 28) & 0xf
        const isLink = unixType === 0xa
        const name = String(entry.fileName).replaceAll('\\', '/')
        const isFile = !name.endsWith('/') && !isLink
        let path: string | undefined
        try {
          path = isFile ? writer.placeOf(name, entry.uncompressedSize) : undefined
        } catch (tooMuch) {
          zip.close()
          return reject(tooMuch)
        }
        if (path === undefined) return zip.readEntry()
        const place = path
        zip.openReadStream(entry, (failure, content) => {
          if (failure) return reject(failure)
          writer.write(place, content).then(() => zip.readEntry(), reject)
        })
      })
      zip.readEntry()
    })
  })
}

function tooLarge(archive: string): DocsError {
  return new DocsError(
    'too_large',
    `${quoteValue(archive)} holds more than ${mostFiles.toLocaleString('en-US')} pages or ${mostBytes / 2 ** 30} GB.`,
    'Unpack the part you need and name its folder as the source.',
  )
}

function notAnArchive(archive: string, cause: unknown): DocsError {
  const detail = cause instanceof Error ? cause.message : String(cause)
  return new DocsError(
    'unsupported_type',
    `${quoteValue(archive)} could not be unpacked: ${detail}.`,
    'Pass a .zip, .tar or .tar.gz of pages, or unpack it and name the folder.',
    cause,
  )
}
